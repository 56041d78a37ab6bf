import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CheckoutOrder, KeptCard, Payments, PaymentUpdate } from '#server/payment-provider/port.ts'
import type { MovableClock } from '#support/movable-clock.ts'

/** Cards by what they do: at the checkout, and later while their owner is away. */
export type ContractCard =
  | 'succeeds'
  | 'declines'
  | 'declines_later'
  | 'authenticates_always'
  | 'refunds_slowly'
  | 'reported'

/** An event on its way to us. */
export interface Delivery {
  readonly body: string
  readonly signature: string
}

/** A provider with the people around it: buyers, banks, and the clock on the wall. */
export interface PaymentsHouse {
  readonly payments: Payments
  readonly clock: MovableClock
  /** A buyer pays on the page at this address, and says yes where the bank asks. */
  pay(url: string, card: ContractCard): Promise<void>
  /** So much time passes, also for the page at this address. */
  passTime(ms: number, url: string): Promise<void>
  dispute(intentRef: string): Promise<string>
  closeDispute(disputeRef: string, state: 'won' | 'lost'): Promise<void>
  /** The card's bank reports a payment as fraud. */
  reportFraud(intentRef: string): Promise<string>
  /** What was sent since the last time, oldest first. */
  deliveries(): Promise<readonly Delivery[]>
  /** Signs any body as the provider would, now. */
  sign(body: string): string
  close(): Promise<void>
}

export function anyOrder(clock: MovableClock, details: Partial<CheckoutOrder> = {}): CheckoutOrder {
  return {
    paymentId: randomUUID(),
    userId: randomUUID(),
    email: 'anna@example.com',
    amountMicroUsd: 25_000_000,
    description: '25 calling credits',
    savesCard: false,
    authenticate: false,
    customerRef: null,
    successUrl: 'https://farline.example/call?payment=success',
    cancelUrl: 'https://farline.example/buy-credits?payment=cancelled',
    expiresAt: new Date(clock.now().getTime() + 3_600_000),
    ...details,
  }
}

const bytes = (body: string) => new TextEncoder().encode(body)

/** What every adapter of the payments port does. */
export function behavesAsPayments(openHouse: () => Promise<PaymentsHouse>): void {
  let house: PaymentsHouse
  beforeEach(async () => {
    house = await openHouse()
  })
  afterEach(() => house.close())

  const read = (body: string, signature: string) =>
    house.payments.readEvent(bytes(body), signature, house.clock.now())

  /** What the events since the last time say, each thing once. */
  const update = async (): Promise<PaymentUpdate[]> => {
    const received = new Map<string, PaymentUpdate>()
    for (const { body, signature } of await house.deliveries()) {
      const event = await read(body, signature)
      if (!event.ok) throw new Error(event.code)
      if (event.value.update.kind !== 'other')
        received.set(JSON.stringify(event.value.update), event.value.update)
    }
    return [...received.values()]
  }

  const open = async (details?: Partial<CheckoutOrder>) => {
    const order = anyOrder(house.clock, details)
    const opened = await house.payments.openCheckout(order)
    if (!opened.ok) throw new Error(opened.code)
    return { order, ...opened.value }
  }

  /** A checkout that was paid, and what its event said. */
  const buy = async (card: ContractCard, details?: Partial<CheckoutOrder>) => {
    const opened = await open(details)
    await house.pay(opened.url, card)
    const [paid] = await update()
    if (paid?.kind !== 'paid') throw new Error('it was not paid')
    return { ...opened, paid }
  }

  const keep = async (card: ContractCard): Promise<KeptCard> => {
    const { paid } = await buy(card, { savesCard: true })
    if (paid.kept === null) throw new Error('no card was kept')
    return paid.kept
  }

  const charge = (kept: KeptCard, paymentId: string = randomUUID()) =>
    house.payments.chargeKeptCard({
      ...kept,
      paymentId,
      userId: 'b7c1f0a2-5d3e-4c86-9a1f-2e4d6c8b0a13',
      amountMicroUsd: 10_000_000,
      description: 'Auto top-up',
    })

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
          refusal: 'declined',
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
    ] as const)('that %s is refused: %s', async (card, refusal) => {
      const kept = await keep(card)
      const paymentId = randomUUID()
      for (const _ of [1, 2]) expect(await charge(kept, paymentId)).toEqual({ ok: false, code: refusal })
      const received = await update()
      expect(received).toEqual([{ kind: 'charge_failed', paymentId, intentRef: expect.any(String), refusal }])
      const intentRef = received[0]?.kind === 'charge_failed' ? received[0].intentRef : ''
      expect(await house.payments.lookUpCharge(intentRef)).toEqual({ ok: true, value: received[0] })
    })

    test('is gone once it was forgotten', async () => {
      const kept = await keep('succeeds')
      for (const _ of [1, 2]) expect(await house.payments.forgetCard(kept)).toMatchObject({ ok: true })
      expect(await charge(kept)).toEqual({ ok: false, code: 'card_gone' })
    })
  })

  describe('a refund', () => {
    const refund = (intentRef: string, amountMicroUsd: number, key: string = randomUUID()) =>
      house.payments.refund({ intentRef, amountMicroUsd, key })

    test('is made once for a key, in parts, and never beyond what was paid', async () => {
      const { paid } = await buy('succeeds')
      const { intentRef } = paid
      const key = randomUUID()
      const first = await refund(intentRef, 15_000_000, key)
      expect(first).toEqual({ ok: true, value: { refundRef: expect.any(String), state: 'succeeded' } })
      expect(await refund(intentRef, 15_000_000, key)).toEqual(first)
      expect(await refund(intentRef, 10_010_000)).toEqual({ ok: false, code: 'not_refundable' })
      expect(await refund(intentRef, 10_000_000)).toMatchObject({ ok: true })
      expect(await refund(intentRef, 10_000)).toEqual({ ok: false, code: 'not_refundable' })
      const refundRef = first.ok ? first.value.refundRef : ''
      expect(await update()).toEqual([
        { kind: 'refund', refundRef, key, intentRef, amountMicroUsd: 15_000_000, state: 'succeeded' },
        expect.objectContaining({ kind: 'refund', amountMicroUsd: 10_000_000 }),
      ])
    })

    test('stays pending while it takes its time', async () => {
      const { paid } = await buy('refunds_slowly')
      expect(await refund(paid.intentRef, 25_000_000)).toMatchObject({ value: { state: 'pending' } })
      expect(await update()).toMatchObject([{ kind: 'refund', state: 'pending' }])
    })
  })

  test.each(['won', 'lost'] as const)(
    'a dispute is open, then %s; there is no refund meanwhile',
    async state => {
      const { paid } = await buy('succeeds')
      const disputeRef = await house.dispute(paid.intentRef)
      const dispute = {
        kind: 'dispute',
        disputeRef,
        intentRef: paid.intentRef,
        amountMicroUsd: 25_000_000,
      }
      expect(await update()).toEqual([{ ...dispute, state: 'open' }])
      expect(
        await house.payments.refund({
          intentRef: paid.intentRef,
          amountMicroUsd: 25_000_000,
          key: randomUUID(),
        }),
      ).toEqual({ ok: false, code: 'not_refundable' })
      await house.closeDispute(disputeRef, state)
      expect(await update()).toEqual([{ ...dispute, state }])
    },
  )

  test('a report of fraud names the payment, and leaves it to us to refund', async () => {
    const { paid } = await buy('succeeds')
    const warningRef = await house.reportFraud(paid.intentRef)
    expect(await update()).toEqual([{ kind: 'fraud_warning', warningRef, intentRef: paid.intentRef }])
    const { intentRef } = paid
    const refund = { intentRef, amountMicroUsd: 25_000_000, key: randomUUID() }
    expect(await house.payments.refund(refund)).toMatchObject({ ok: true })
  })

  test('a card whose bank reports its payments does so by itself', async () => {
    const { url } = await open({ authenticate: true })
    await house.pay(url, 'reported')
    const received = await update()
    const paid = received.find(one => one.kind === 'paid')
    expect(received).toContainEqual({
      kind: 'fraud_warning',
      warningRef: expect.stringMatching(/./),
      intentRef: paid?.intentRef,
    })
  })

  describe('an event', () => {
    const anyDelivery = async (): Promise<Delivery> => {
      const { url } = await open()
      await house.pay(url, 'succeeds')
      for (const delivery of await house.deliveries()) {
        const event = await read(delivery.body, delivery.signature)
        if (event.ok && event.value.update.kind === 'paid') return delivery
      }
      throw new Error('no event says that it is paid')
    }

    test('has its own name, and the moment at which it happened', async () => {
      const { body, signature } = await anyDelivery()
      const first = await read(body, signature)
      expect(first).toMatchObject({ ok: true, value: { id: expect.stringMatching(/./) } })
      expect(await read(body, signature)).toEqual(first)
      const happened = first.ok ? first.value.createdAt.getTime() : 0
      expect(Math.abs(house.clock.now().getTime() - happened)).toBeLessThanOrEqual(1000)
    })

    test('is forged when its body, its signature or its moment is another', async () => {
      const { body, signature } = await anyDelivery()
      const forged = { ok: false, code: 'forged' }
      expect(await read(`${body} `, signature)).toEqual(forged)
      expect(await read(body.replace('visa', 'vise'), '')).toEqual(forged)
      expect(
        await read(
          body,
          signature.replace(/.$/, last => (last === '0' ? '1' : '0')),
        ),
      ).toEqual(forged)
      expect(await read(body, house.sign(`${body} `))).toEqual(forged)
      expect(await read('', signature)).toEqual(forged)
      house.clock.advance(299_000)
      expect(await read(body, signature)).toMatchObject({ ok: true })
      house.clock.advance(2_000)
      expect(await read(body, signature)).toEqual(forged)
    })

    test('may say more than we know', async () => {
      const { body, signature } = await anyDelivery()
      const event = JSON.parse(body)
      const object = event.data.object ?? event.data
      Object.assign(event, { of_tomorrow: [1, { a: null }] })
      Object.assign(object, { of_tomorrow: 'yes' })
      const more = JSON.stringify(event)
      expect(await read(more, house.sign(more))).toEqual(await read(body, signature))
    })

    test('of an unknown kind is genuine and ignored; one without a form is unreadable', async () => {
      const { body } = await anyDelivery()
      const unknown = JSON.stringify({ ...JSON.parse(body), type: 'of.tomorrow' })
      expect(await read(unknown, house.sign(unknown))).toMatchObject({ value: { update: { kind: 'other' } } })
      const emptied = JSON.stringify({ ...JSON.parse(body), data: { object: {} } })
      for (const shapeless of ['{', '[]', 'null', '"text"', '{}', emptied]) {
        expect(await read(shapeless, house.sign(shapeless))).toEqual({ ok: false, code: 'unreadable' })
      }
    })
  })
}
