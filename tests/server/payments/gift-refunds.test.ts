import { expect, test } from 'vitest'
import { listBilling } from '#server/ledger/billing.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { openGiftCode } from '#server/payments/gifts/gift-rows.ts'
import { findReceipt } from '#server/payments/receipt.ts'
import { offerRefund, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, deliver, order } from './buyer.ts'
import { buyGift, giftOf, mailsTo, orderGift, redeem } from './gift-people.ts'

const world = keepForFile(await createWorld())
const { db, services, provider } = world
const balanced = async () => expect(await findBreaches(db)).toEqual([])
const people = () => Promise.all([world.addUser(), world.addUser()])

test('a refund is there while nobody has redeemed, whenever that is, and ends the code', async () => {
  const [ana, mum] = await people()
  const { order: one, code } = await buyGift(world, ana)
  world.clock.advance(300 * 24 * 3600_000)
  expect(await offerRefund(services, ana.id, one.id)).toEqual({
    ok: true,
    value: { amount: 10, credits: 0, gift: true, until: null },
  })
  expect(await requestRefund(services, ana.id, one.id, 10)).toMatchObject({ ok: true })
  expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'refunded', code: null })
  expect(await redeem(world, mum.id, code)).toMatchObject({ rejection: { code: 'unknown_code' } })
  expect(await accountsOf(world, one.id)).toEqual({})
  await balanced()
})

test('a refund that the bank does not take makes the booklet whole again', async () => {
  const [ana, mum] = await people()
  const { order: one, code } = await buyGift(world, ana)
  provider.refunding = 'refused'
  expect(await requestRefund(services, ana.id, one.id, 10)).toEqual({ ok: false, code: 'refund_refused' })
  provider.refunding = 'succeeded'
  expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'ready' })
  const [mail] = await mailsTo(world, ana.email, 'refund:')
  expect(mail?.data.text).toContain('your booklet works again')
  expect(await redeem(world, mum.id, code)).toMatchObject({
    ok: true,
    value: { balanceMicroUsd: 10_000_000 },
  })
  expect(await offerRefund(services, ana.id, one.id)).toEqual({ ok: false, code: 'gift_redeemed' })
  await balanced()
})

test('a refund and a redemption at once: one of them has the money', async () => {
  const [ana] = await people()
  for (let round = 0; round < 8; round += 1) {
    const mum = await world.addUser()
    const { order: one, code } = await buyGift(world, ana, { amountUsd: 5, toName: `Mum ${round}` })
    world.clock.advance(24 * 3600_000)
    const both = [() => requestRefund(services, ana.id, one.id, 5), () => redeem(world, mum.id, code)]
    const answers = await Promise.all((round % 2 === 0 ? both : both.reverse()).map(ask => ask()))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    const { balance } = await accountState(world, mum.id)
    expect(await accountsOf(world, one.id)).toEqual(balance === 5 ? { customer: 5, payments: -5 } : {})
    await balanced()
  }
})

/** What the user reads under a filter of the billing history, newest first. */
async function read(userId: string, show?: 'refunds' | 'purchases') {
  const { lines } = await listBilling(db, userId, { show }, world.clock.now())
  return lines.map(({ description, amount, kind, payment }) => [description, amount, kind, payment?.refund])
}

test('a refund is under Refunds, on the receipt and on the booklet page, and says the same there', async () => {
  const [ana] = await people()
  const own = await order(world, ana.id, 5)
  await deliver(world, own.paid())
  const { order: one } = await buyGift(world, ana)
  const unreceived = await buyGift(world, ana, { toName: 'Dad' })
  expect(await read(ana.id, 'refunds')).toEqual([])
  await requestRefund(services, ana.id, one.id, 10)
  const refunded = ['Refund of the gift for Mum, $10.00 to your card', 0, 'refund', 'none']
  expect(await read(ana.id, 'refunds')).toEqual([refunded])
  expect(await read(ana.id)).toEqual([
    refunded,
    ['Gift for Dad, $10.00 by card', 0, 'gift', 'open'],
    ['Gift for Mum, $10.00 by card', 0, 'gift', 'refunded'],
    ['Credits bought', 5, 'payment', 'open'],
  ])
  expect(await findReceipt(db, ana.id, one.id)).toMatchObject({ amount: 10, refunded: 10, giftFor: 'Mum' })
  expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'refunded', amount: 10 })

  provider.refunding = 'refused'
  await requestRefund(services, ana.id, unreceived.order.id, 10)
  provider.refunding = 'succeeded'
  expect((await read(ana.id, 'refunds')).slice(0, 2)).toEqual([
    ['Refund of the gift for Dad did not go through', 0, 'refund_failed', 'none'],
    ['Refund of the gift for Dad, $10.00 to your card', 0, 'refund', 'none'],
  ])
  expect(await findReceipt(db, ana.id, unreceived.order.id)).toMatchObject({ refunded: 0 })
  expect(await giftOf(world, ana.id, unreceived.order.id)).toMatchObject({ state: 'ready' })
  await deliver(world, unreceived.order.dispute(10))
  await deliver(world, unreceived.order.dispute(10, 'won'))
  expect((await read(ana.id, 'refunds')).slice(0, 2).map(([description]) => description)).toEqual([
    'Dispute of the gift for Dad settled',
    'Disputed payment of the gift for Dad, $10.00',
  ])
  const { transfers } = await listTransfers(db, ana.id, {}, world.clock.now())
  expect(transfers.map(({ description, amount, balance }) => [description, amount, balance]).at(0)).toEqual([
    'Dispute of the gift for Dad settled',
    0,
    5,
  ])
  await balanced()
})

test('whatever happens to a booklet, at once and twice, the books hold', async () => {
  const ana = await world.addUser()
  for (let round = 0; round < 6; round += 1) {
    const [mum, dad] = await people()
    const one = await orderGift(world, ana.id, { amountUsd: 10, toName: `All ${round}` })
    world.clock.advance(24 * 3600_000)
    const [row] = await db.query<{ code_sealed: Uint8Array }>(
      'select code_sealed from gift where payment_id = $1',
      [one.id],
    )
    const code = openGiftCode(services, row?.code_sealed ?? null) ?? ''
    const acts = [
      () => deliver(world, one.paid()),
      () => redeem(world, mum.id, code),
      () => deliver(world, one.refund(4, 'succeeded')),
      () => deliver(world, one.dispute(10)),
      () => redeem(world, dad.id, code),
      () => deliver(world, one.paid()),
      () => deliver(world, one.dispute(10, 'won')),
      () => requestRefund(services, ana.id, one.id, 10),
      () => deliver(world, one.refund(4, 'failed')),
      () => redeem(world, mum.id, code),
    ]
    // Each round begins elsewhere, and runs forwards or backwards.
    const turned = [...acts.slice(round), ...acts.slice(0, round)]
    await Promise.all((round % 2 === 0 ? turned : turned.reverse()).map(act => act()))
    await balanced()
    await deliver(world, one.paid())
    await deliver(world, one.dispute(10, 'won'))
    await balanced()
  }
})
