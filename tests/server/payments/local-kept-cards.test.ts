import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { KeptCard } from '#server/payment-provider/port.ts'
import { cards, type LocalShop, openLocalShop } from './local-shop.ts'

let shop: LocalShop
beforeAll(async () => {
  shop = await openLocalShop()
})
afterEach(() => shop.reset())
afterAll(() => shop.close())

/** Pays a checkout that keeps the card; gives what the event says of both. */
async function keep(number: string): Promise<{ kept: KeptCard; intentRef: string }> {
  const ref = await shop.open({ savesCard: true, customerRef: 'cus_local_anna' })
  await shop.pay(ref, number)
  await shop.post(`/dev/checkout/sessions/${ref}/authentication`, { approved: true })
  const lookedUp = await shop.payments.lookUp(ref)
  if (!lookedUp.ok || lookedUp.value?.kind !== 'paid' || lookedUp.value.kept === null)
    throw new Error('nothing was kept')
  return { kept: lookedUp.value.kept, intentRef: lookedUp.value.intentRef }
}

function charge(kept: KeptCard, paymentId = randomUUID()) {
  const order = { userId: randomUUID(), amountMicroUsd: 10_000_000, description: 'Auto top-up' }
  return shop.payments.chargeKeptCard({ ...order, ...kept, paymentId })
}

const updatesOf = async (paymentId: string) =>
  (await shop.updates()).filter(update => 'paymentId' in update && update.paymentId === paymentId)

describe('a kept card', () => {
  test.each([cards.succeeds, cards.authenticates])('%s is charged while its owner is away', async number => {
    const { kept } = await keep(number)
    expect(kept.customerRef).toBe('cus_local_anna')
    const paymentId = randomUUID()
    const answers = await Promise.all([charge(kept, paymentId), charge(kept, paymentId)])
    expect(answers[0]).toEqual({ ok: true, value: { intentRef: expect.stringMatching(/^pi_local_/) } })
    expect(answers[1]).toEqual(answers[0])
    expect(await updatesOf(paymentId)).toMatchObject([
      { kind: 'paid', checkoutRef: null, amountMicroUsd: 10_000_000, card: { last4: number.slice(-4) } },
    ])
  })

  test.each([
    [cards.declinesLater, 'declined'],
    [cards.authenticatesAlways, 'authentication_required'],
  ])('%s works while its owner is present, and is rejected later', async (number, rejection) => {
    const { kept } = await keep(number)
    const paymentId = randomUUID()
    for (const _ of [1, 2]) expect(await charge(kept, paymentId)).toEqual({ ok: false, code: rejection })
    expect(await updatesOf(paymentId)).toMatchObject([{ kind: 'charge_failed', rejection }])
  })

  test('is gone once it is forgotten, and for everybody but its owner', async () => {
    const { kept } = await keep(cards.succeeds)
    expect(await charge({ ...kept, customerRef: 'cus_local_boris' })).toEqual({
      ok: false,
      code: 'card_gone',
    })
    for (const _ of [1, 2]) expect(await shop.payments.forgetCard(kept)).toMatchObject({ ok: true })
    const paymentId = randomUUID()
    expect(await charge(kept, paymentId)).toEqual({ ok: false, code: 'card_gone' })
    expect(await updatesOf(paymentId)).toMatchObject([{ kind: 'charge_failed', rejection: 'card_gone' }])
  })
})

describe('a refund', () => {
  const refund = (intentRef: string, amountMicroUsd: number, key: string = randomUUID()) =>
    shop.payments.refund({ intentRef, amountMicroUsd, key })
  const refunds = async (afterMs = 0) =>
    (await shop.updates(afterMs)).flatMap(update => (update.kind === 'refund' ? [update.state] : []))

  test('is made once for a key, and never beyond what was paid', async () => {
    const { intentRef } = await keep(cards.succeeds)
    const key = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => refund(intentRef, 15_000_000, key)))
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ ok: true, value: { state: 'succeeded' } })
    const others = await Promise.all([refund(intentRef, 10_000_000), refund(intentRef, 10_000_000)])
    expect(others.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await refund('pi_local_nothing', 1)).toEqual({ ok: false, code: 'not_refundable' })
    expect(await refunds()).toEqual(['succeeded', 'succeeded'])
  })

  test('of a slow bank is pending first; of a failing one it is taken back', async () => {
    const slow = await keep(cards.refundsSlowly)
    expect(await refund(slow.intentRef, 25_000_000)).toMatchObject({ value: { state: 'pending' } })
    expect(await refunds()).toEqual(['pending'])
    expect(await refunds(5_000)).toEqual(['pending', 'succeeded'])
    const failing = await keep(cards.refundsFail)
    expect(await refund(failing.intentRef, 25_000_000)).toMatchObject({ value: { state: 'succeeded' } })
    expect(await refunds(5_000)).toEqual(['pending', 'succeeded', 'succeeded', 'failed'])
  })
})

describe('a dispute', () => {
  const disputes = async () => (await shop.updates()).filter(({ kind }) => kind === 'dispute')

  test('is about what was not refunded, is reported when it opens and ends, and stops refunds', async () => {
    const { intentRef } = await keep(cards.succeeds)
    await shop.payments.refund({ intentRef, amountMicroUsd: 5_000_000, key: 'part' })
    const disputeRef = await shop.payments.openDispute(intentRef)
    await expect(shop.payments.openDispute(intentRef)).rejects.toThrow()
    const more = { intentRef, amountMicroUsd: 1_000_000, key: 'more' }
    expect(await shop.payments.refund(more)).toEqual({ ok: false, code: 'not_refundable' })
    await shop.payments.closeDispute(disputeRef, 'won')
    await expect(shop.payments.closeDispute(disputeRef, 'lost')).rejects.toThrow()
    expect(await shop.payments.refund(more)).toMatchObject({ ok: true })
    const lookedUp = { kind: 'dispute', disputeRef, intentRef, amountMicroUsd: 20_000_000 }
    expect(await disputes()).toEqual([
      { ...lookedUp, state: 'open' },
      { ...lookedUp, state: 'won' },
    ])
    await expect(shop.payments.openDispute('pi_local_nothing')).rejects.toThrow()
  })

  test('comes by itself with the card for it', async () => {
    const { intentRef } = await keep(cards.disputes)
    expect(await disputes()).toMatchObject([{ intentRef, amountMicroUsd: 25_000_000, state: 'open' }])
  })
})
