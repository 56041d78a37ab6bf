import { expect, test } from 'vitest'
import { listBilling } from '#server/ledger/billing.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { openGiftCode } from '#server/payments/gifts/gift-rows.ts'
import { findReceipt } from '#server/payments/receipt.ts'
import { offerRefund, repeatRefunds, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, cardOf, deliver, type Order, order } from './buyer.ts'
import { buyGift, deleteWithPassword, giftOf, mailsTo, orderGift, redeem } from './gift-people.ts'

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

/** Orders a booklet and leaves before its payment is reported. @returns the order */
async function orderAndLeave(part: Parameters<typeof orderGift>[2] = {}) {
  const ana = await world.addUser()
  const one = await orderGift(world, ana.id, part)
  await deliver(world, one.expired())
  expect(await deleteWithPassword(world, ana.id, ana.email)).toMatchObject({ ok: true })
  return one
}

/** What we asked the provider to refund of a payment, in dollars. */
const refundsOf = ({ intentRef }: Order) =>
  provider.refunds.filter(refund => refund.intentRef === intentRef).map(refund => refund.amountMicroUsd / 1e6)

test('a booklet that is paid after its buyer has left is refunded once, and works for nobody', async () => {
  const recipientEmail = `late-${services.random.uuid()}@example.org`
  const one = await orderAndLeave({ recipientEmail })
  await Promise.all([deliver(world, one.paid(), 'evt_late'), deliver(world, one.paid(), 'evt_later')])
  await balanced()
  await deliver(world, one.paid(), 'evt_late')
  await repeatRefunds(services)
  await deliver(world, one.paid(), 'evt_last')
  await repeatRefunds(services)
  expect(refundsOf(one)).toEqual([10])
  expect(await db.query('select state, refunded from payment where id = $1', [one.id])).toEqual([
    { state: 'paid', refunded: 10_000_000 },
  ])
  expect(await db.query('select issued_at, mailed from gift where payment_id = $1', [one.id])).toEqual([
    { issued_at: null, mailed: null },
  ])
  expect(await accountsOf(world, one.id)).toEqual({})
  expect(await mailsTo(world, recipientEmail, 'gift:')).toEqual([])
  await balanced()
})

test('what a booklet that is paid too late has left is refunded, whatever was reported before', async () => {
  const refunded = await orderAndLeave()
  await deliver(world, refunded.refund(4))
  const disputed = await orderAndLeave()
  await deliver(world, disputed.dispute(10))
  const reported = await orderAndLeave()
  await deliver(world, reported.reported())
  const held = await orderAndLeave()
  const card = { ...cardOf(held.id), fingerprint: 'fp-many' }
  for (let n = 0; n <= services.paymentPolicy.accountsPerCard; n += 1) {
    const own = await order(world, (await world.addUser()).id, 5)
    await deliver(world, own.paid({ card }))
  }
  await deliver(world, held.paid({ card }))
  expect(await db.query('select held from payment where id = $1', [held.id])).toEqual([{ held: 10_000_000 }])
  for (const one of [refunded, disputed, reported]) await deliver(world, one.paid())
  await repeatRefunds(services)
  expect([refunded, disputed, reported, held].map(refundsOf)).toEqual([[6], [], [10], [10]])
  for (const one of [refunded, disputed, reported, held]) expect(await accountsOf(world, one.id)).toEqual({})
  await balanced()
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
