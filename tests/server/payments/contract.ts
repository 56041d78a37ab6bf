import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { paysBack, sendsEvents } from './contract-events.ts'
import { type ContractCard, type PaymentsHouse, visit } from './contract-house.ts'

/** What every adapter of the payments port does. */
export function behavesAsPayments(openHouse: () => Promise<PaymentsHouse>): void {
  let house: PaymentsHouse
  beforeEach(async () => {
    house = await openHouse()
  })
  afterEach(() => house.close())

  const visitor = visit(() => house)
  const { update, open, buy, keep, charge } = visitor

  describe('a checkout', () => {
    test('is opened once for a payment, however often it is asked for', async () => {
      const { order, checkoutRef, url } = await open()
      expect(new URL(url).protocol).toMatch(/^https?:$/)
      expect(await house.payments.openCheckout(order)).toEqual({ ok: true, value: { checkoutRef, url } })
      expect((await open()).checkoutRef).not.toBe(checkoutRef)
      expect(await house.payments.lookUp(checkoutRef)).toEqual({ ok: true, value: null })
      expect(await update()).toEqual([])
    })

    test('says by its event what was paid, and says the same when it is looked up', async () => {
      const { order, checkoutRef, url } = await open({ amountMicroUsd: 4_000_000_000 })
      await house.pay(url, 'succeeds')
      const received = await update()
      expect(received).toEqual([
        {
          kind: 'paid',
          paymentId: order.paymentId,
          checkoutRef,
          intentRef: expect.any(String),
          amountMicroUsd: 4_000_000_000,
          card: {
            brand: 'visa',
            last4: expect.stringMatching(/^\d{4}$/),
            fingerprint: expect.stringMatching(/./),
          },
          kept: null,
        },
      ])
      expect(await house.payments.lookUp(checkoutRef)).toEqual({ ok: true, value: received[0] })
    })

    test('distinguishes cards by their fingerprint, whoever pays', async () => {
      const fingerprint = async (card: ContractCard) => (await buy(card)).paid.card?.fingerprint
      const first = await fingerprint('succeeds')
      expect(await fingerprint('succeeds')).toBe(first)
      expect(await fingerprint('refunds_slowly')).not.toBe(first)
    })

    test('is still to be paid when a card was declined', async () => {
      const { order, checkoutRef, url } = await open()
      await house.pay(url, 'declines')
      expect(await update()).toEqual([
        {
          kind: 'charge_failed',
          paymentId: order.paymentId,
          intentRef: expect.any(String),
          rejection: 'declined',
        },
      ])
      expect(await house.payments.lookUp(checkoutRef)).toEqual({ ok: true, value: null })
      await house.pay(url, 'succeeds')
      expect(await update()).toMatchObject([{ kind: 'paid', paymentId: order.paymentId }])
    })

    test('that is closed or forgotten has expired, and says so', async () => {
      const closed = await open()
      for (const _ of [1, 2]) {
        expect(await house.payments.closeCheckout(closed.checkoutRef)).toMatchObject({ ok: true })
      }
      const forgotten = await open()
      await house.passTime(3_700_000, forgotten.url)
      const expected = [closed, forgotten].map(({ order, checkoutRef }) => ({
        kind: 'checkout_expired',
        paymentId: order.paymentId,
        checkoutRef,
      }))
      expect(await update()).toEqual(expected)
      for (const [index, { checkoutRef }] of [closed, forgotten].entries()) {
        expect(await house.payments.lookUp(checkoutRef)).toEqual({ ok: true, value: expected[index] })
      }
    })

    test('that is paid stays paid when it is closed', async () => {
      const { checkoutRef, paid } = await buy('succeeds')
      expect(await house.payments.closeCheckout(checkoutRef)).toMatchObject({ ok: true })
      expect(await house.payments.lookUp(checkoutRef)).toEqual({ ok: true, value: paid })
      expect(await update()).toEqual([])
    })
  })

  describe('a kept card', () => {
    test('is charged once for a payment, and its event says so', async () => {
      const kept = await keep('succeeds')
      const paymentId = randomUUID()
      const first = await charge(kept, paymentId)
      expect(first).toEqual({ ok: true, value: { intentRef: expect.any(String) } })
      expect(await charge(kept, paymentId)).toEqual(first)
      expect(await update()).toEqual([
        {
          kind: 'paid',
          paymentId,
          checkoutRef: null,
          intentRef: first.ok && first.value.intentRef,
          amountMicroUsd: 10_000_000,
          card: expect.objectContaining({ brand: 'visa' }),
          kept: null,
        },
      ])
    })

    test('finds a charge whose answer was lost by its payment, whether it was made or rejected', async () => {
      for (const card of ['succeeds', 'declines_later'] as const) {
        const kept = await keep(card)
        const since = house.clock.now()
        const [paymentId, neverAsked] = [randomUUID(), randomUUID()]
        const of = { paymentId, customerRef: kept.customerRef, since }
        expect(await house.payments.findCharge(of)).toEqual({ ok: true, value: null })
        await charge(kept, randomUUID())
        await charge(kept, paymentId)
        const received = (await update()).find(one => 'paymentId' in one && one.paymentId === paymentId)
        if (received === undefined || !('intentRef' in received)) throw new Error('no event told of it')
        const { intentRef } = received
        expect(await house.payments.findCharge(of)).toEqual({ ok: true, value: { intentRef } })
        expect(await house.payments.lookUpCharge(intentRef)).toEqual({ ok: true, value: received })
        const other = { ...of, paymentId: neverAsked }
        expect(await house.payments.findCharge(other)).toEqual({ ok: true, value: null })
      }
    })

    test('that was charged is looked up as its event says it', async () => {
      const charged = await charge(await keep('succeeds'))
      if (!charged.ok) throw new Error(charged.code)
      const [received] = await update()
      expect(received?.kind).toBe('paid')
      expect(await house.payments.lookUpCharge(charged.value.intentRef)).toEqual({
        ok: true,
        value: received,
      })
    })

    test('belongs to the same customer when it is bought with again', async () => {
      const kept = await keep('succeeds')
      const { paid } = await buy('succeeds', { savesCard: true, customerRef: kept.customerRef })
      expect(paid.kept?.customerRef).toBe(kept.customerRef)
    })

    test.each([
      ['declines_later', 'declined'],
      ['authenticates_always', 'authentication_required'],
    ] as const)('that %s is refused: %s', async (card, rejection) => {
      const kept = await keep(card)
      const paymentId = randomUUID()
      for (const _ of [1, 2]) expect(await charge(kept, paymentId)).toEqual({ ok: false, code: rejection })
      const received = await update()
      expect(received).toEqual([
        { kind: 'charge_failed', paymentId, intentRef: expect.any(String), rejection },
      ])
      const intentRef = received[0]?.kind === 'charge_failed' ? received[0].intentRef : ''
      expect(await house.payments.lookUpCharge(intentRef)).toEqual({ ok: true, value: received[0] })
    })

    test('is gone once it was forgotten', async () => {
      const kept = await keep('succeeds')
      for (const _ of [1, 2]) expect(await house.payments.forgetCard(kept)).toMatchObject({ ok: true })
      expect(await charge(kept)).toEqual({ ok: false, code: 'card_gone' })
    })
  })

  paysBack(() => house, visitor)
  sendsEvents(() => house, visitor)
}
