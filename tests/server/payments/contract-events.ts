import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Delivery, PaymentsHouse, Visit } from './contract-house.ts'

/** Refunds, disputes and reports of fraud, of every adapter of the payments port. */
export function paysBack(house: () => PaymentsHouse, { update, open, buy }: Visit): void {
  describe('a refund', () => {
    const refund = (intentRef: string, amountMicroUsd: number, key: string = randomUUID()) =>
      house().payments.refund({ intentRef, amountMicroUsd, key })

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
      const disputeRef = await house().dispute(paid.intentRef)
      const dispute = {
        kind: 'dispute',
        disputeRef,
        intentRef: paid.intentRef,
        amountMicroUsd: 25_000_000,
      }
      expect(await update()).toEqual([{ ...dispute, state: 'open' }])
      expect(
        await house().payments.refund({
          intentRef: paid.intentRef,
          amountMicroUsd: 25_000_000,
          key: randomUUID(),
        }),
      ).toEqual({ ok: false, code: 'not_refundable' })
      await house().closeDispute(disputeRef, state)
      expect(await update()).toEqual([{ ...dispute, state }])
    },
  )

  test('a report of fraud names the payment, and leaves it to us to refund', async () => {
    const { paid } = await buy('succeeds')
    const warningRef = await house().reportFraud(paid.intentRef)
    expect(await update()).toEqual([{ kind: 'fraud_warning', warningRef, intentRef: paid.intentRef }])
    const { intentRef } = paid
    const refund = { intentRef, amountMicroUsd: 25_000_000, key: randomUUID() }
    expect(await house().payments.refund(refund)).toMatchObject({ ok: true })
  })

  test('a card whose bank reports its payments does so by itself', async () => {
    const { url } = await open({ authenticate: true })
    await house().pay(url, 'reported')
    const received = await update()
    const paid = received.find(one => one.kind === 'paid')
    expect(received).toContainEqual({
      kind: 'fraud_warning',
      warningRef: expect.stringMatching(/./),
      intentRef: paid?.intentRef,
    })
  })
}

/** What an event says, and whose word it is. */
export function sendsEvents(house: () => PaymentsHouse, { read, open }: Visit): void {
  describe('an event', () => {
    const anyDelivery = async (): Promise<Delivery> => {
      const { url } = await open()
      await house().pay(url, 'succeeds')
      for (const delivery of await house().deliveries()) {
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
      expect(Math.abs(house().clock.now().getTime() - happened)).toBeLessThanOrEqual(1000)
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
      expect(await read(body, house().sign(`${body} `))).toEqual(forged)
      expect(await read('', signature)).toEqual(forged)
      house().clock.advance(299_000)
      expect(await read(body, signature)).toMatchObject({ ok: true })
      house().clock.advance(2_000)
      expect(await read(body, signature)).toEqual(forged)
    })

    test('may say more than we know', async () => {
      const { body, signature } = await anyDelivery()
      const event = JSON.parse(body)
      const object = event.data.object ?? event.data
      Object.assign(event, { of_tomorrow: [1, { a: null }] })
      Object.assign(object, { of_tomorrow: 'yes' })
      const more = JSON.stringify(event)
      expect(await read(more, house().sign(more))).toEqual(await read(body, signature))
    })

    test('of an unknown kind is genuine and ignored; one without a form is unreadable', async () => {
      const { body } = await anyDelivery()
      const unknown = JSON.stringify({ ...JSON.parse(body), type: 'of.tomorrow' })
      expect(await read(unknown, house().sign(unknown))).toMatchObject({
        value: { update: { kind: 'other' } },
      })
      const emptied = JSON.stringify({ ...JSON.parse(body), data: { object: {} } })
      for (const shapeless of ['{', '[]', 'null', '"text"', '{}', emptied]) {
        expect(await read(shapeless, house().sign(shapeless))).toEqual({ ok: false, code: 'unreadable' })
      }
    })
  })
}
