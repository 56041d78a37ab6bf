import { describe, expect, test } from 'vitest'
import { restrictAccount } from '#server/admin/restrict.ts'
import type { Transaction } from '#server/db/port.ts'
import type { UserRow } from '#server/identity/users.ts'
import { post } from '#server/ledger/ledger.ts'
import { openGiftCheckout } from '#server/payments/gifts/order-gift.ts'
import { lookUpGift } from '#server/payments/gifts/redeem-gift.ts'
import { offerRefund, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { releasePayment } from '#server/payments/release.ts'
import { newCustomerRoom } from '#server/spending/new-customer.ts'
import { tierOf } from '#server/spending/trust-tier.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, cardOf, deliver, type Order, order, paymentsOf, spend } from './buyer.ts'
import {
  address,
  buyGift,
  deleteWithPassword,
  giftOf,
  letter,
  mailEnvelopes,
  mailsTo,
  orderGift,
  redeem,
} from './gift-people.ts'
import { operator } from './refund-customer.ts'

const world = keepForFile(await createWorld())
const { db, services } = world
const balanced = async () => expect(await findBreaches(db)).toEqual([])
const people = () => Promise.all([world.addUser(), world.addUser()])

describe('a dispute', () => {
  test('stops a code while it is open, and a won one lets it work again', async () => {
    const [ana, mum] = await people()
    const { order: one, code } = await buyGift(world, ana)
    await deliver(world, one.dispute(10))
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'disputed', code: null })
    expect(await accountState(world, ana.id)).toMatchObject({ canCall: false })
    expect(await redeem(world, mum.id, code)).toMatchObject({ rejection: { code: 'unknown_code' } })
    await deliver(world, one.dispute(10, 'won'))
    expect(await redeem(world, mum.id, code)).toMatchObject({ ok: true })
    await balanced()
  })

  test('of a redeemed booklet takes from the buyer, then from us, and never from the redeemer', async () => {
    const [ana, mum] = [await world.addUser(), await world.addUser()]
    const own = await order(world, ana.id, 5)
    await deliver(world, own.paid())
    await spend(world, ana, 1)
    const { order: one, code } = await buyGift(world, ana)
    await redeem(world, mum.id, code)
    expect(await tierOf(db, services, mum.id)).toBe('newly_paid')
    await deliver(world, one.dispute(10))
    await deliver(world, one.dispute(10))
    expect(await accountState(world, mum.id)).toMatchObject({ balance: 10, canCall: true })
    expect(await accountState(world, ana.id)).toMatchObject({ balance: 0, canCall: false })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 6, dispute_losses: -6 })
    expect(await tierOf(db, services, mum.id)).toBe('never_paid')
    await deliver(world, one.dispute(10, 'won'))
    expect(await accountState(world, ana.id)).toMatchObject({ balance: 4, canCall: true })
    expect(await tierOf(db, services, mum.id)).toBe('newly_paid')
    await balanced()
  })

  test('of a booklet in review that is released and then won back makes the booklet whole', async () => {
    const [ana, mum] = await people()
    const first = await orderGift(world, ana.id, { amountUsd: 150 })
    const held = await orderGift(world, ana.id, { amountUsd: 60 })
    await deliver(world, first.paid())
    await deliver(world, held.paid())
    await deliver(world, held.dispute(25))
    expect(await accountsOf(world, held.id)).toEqual({ payments: -35, unreleased: 35 })
    expect(await releasePayment(services, held.id, { actor: 'test', reason: 'fine' })).toEqual({
      ok: true,
      value: 35_000_000,
    })
    await deliver(world, held.dispute(25, 'won'))
    expect(await accountsOf(world, held.id)).toEqual({ gifts: 60, payments: -60 })
    const { code } = await giftOf(world, ana.id, held.id)
    expect(await redeem(world, mum.id, code ?? '')).toMatchObject({ ok: true })
    expect(await accountState(world, mum.id)).toMatchObject({ balance: 60 })
    await balanced()
  })

  test('told before the payment leaves no booklet and no envelope', async () => {
    const [ana] = await people()
    const one = await orderGift(world, ana.id, { recipientEmail: `early-${ana.id}@example.org` })
    await deliver(world, one.dispute(10))
    await deliver(world, one.paid())
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'disputed', mailed: null })
    expect(await mailsTo(world, `early-${ana.id}@example.org`, 'gift:')).toEqual([])
    await balanced()
  })

  test.each([
    [
      'refunded',
      async (one: Order, ana: UserRow) => void (await requestRefund(services, ana.id, one.id, 10)),
    ],
    ['contested', (one: Order) => deliver(world, one.dispute(10))],
    [
      'of a blocked buyer',
      async (_: Order, ana: UserRow) =>
        void (await db.query('update app_user set can_call = false where id = $1', [ana.id])),
    ],
  ])('%s within an hour it is mailed to nobody, and its buyer reads so', async (_what, happens) => {
    const [ana] = await people()
    const recipientEmail = `spared-${ana.id}@example.org`
    const { order: one } = await buyGift(world, ana, { recipientEmail })
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ mailed: true })
    await happens(one, ana)
    await mailEnvelopes(world)
    expect(await mailsTo(world, recipientEmail, 'gift:')).toEqual([])
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ mailed: false })
    await balanced()
  })

  test('or a report of fraud sends an unredeemed booklet back', async () => {
    const [ana, mum] = await people()
    const { order: one, code } = await buyGift(world, ana)
    await deliver(world, one.reported())
    expect(await redeem(world, mum.id, code)).toMatchObject({ rejection: { code: 'unknown_code' } })
    expect(await accountsOf(world, one.id)).toEqual({})
    await balanced()
  })
})

describe('limits', () => {
  test('$200 a day, also of one card; what checkouts at once pay beyond it waits until it is released', async () => {
    const [ana, ben] = await people()
    const first = await orderGift(world, ana.id, { amountUsd: 150 })
    const second = await orderGift(world, ana.id, {
      amountUsd: 60,
      recipientEmail: `held-${ana.id}@example.org`,
    })
    const ofOther = await orderGift(world, ben.id, { amountUsd: 60 })
    await deliver(world, first.paid())
    expect(await openGiftCheckout(services, ana.id, { ...letter, amountUsd: 51 })).toEqual({
      ok: false,
      code: 'gift_limit',
    })
    await deliver(world, second.paid())
    await deliver(world, ofOther.paid({ card: cardOf(ana.id) }))
    expect(await giftOf(world, ben.id, ofOther.id)).toMatchObject({ state: 'in_review', code: null })
    expect(await giftOf(world, ana.id, second.id)).toMatchObject({ state: 'in_review', code: null })
    expect(await accountsOf(world, second.id)).toEqual({ payments: -60, unreleased: 60 })
    expect(await mailsTo(world, `held-${ana.id}@example.org`, 'gift:')).toEqual([])
    expect(await releasePayment(services, second.id, { actor: 'test', reason: 'fine' })).toEqual({
      ok: true,
      value: 60_000_000,
    })
    expect(await giftOf(world, ana.id, second.id)).toMatchObject({ state: 'ready', mailed: true })
    await mailEnvelopes(world)
    expect(await mailsTo(world, `held-${ana.id}@example.org`, 'gift:')).toHaveLength(1)
    // An operator may as well refund a booklet in review.
    expect(await requestRefund(services, ben.id, ofOther.id, 60)).toMatchObject({ code: 'under_review' })
    expect(await operator(world, ofOther, services.random.uuid(), 60)).toMatchObject({ ok: true })
    expect(await releasePayment(services, ofOther.id, { actor: 'test', reason: 'fine' })).toMatchObject({
      ok: true,
    })
    expect(await giftOf(world, ben.id, ofOther.id)).toMatchObject({ state: 'refunded' })
    await balanced()
  })

  test('buying earns no trust, redeeming the limits of the first days and their spending', async () => {
    const [ana, mum] = await people()
    const { code } = await buyGift(world, ana, { amountUsd: 50 })
    expect(await tierOf(db, services, ana.id)).toBe('never_paid')
    expect(await newCustomerRoom(db, services, mum.id)).toBeUndefined()
    await redeem(world, mum.id, code)
    expect(await newCustomerRoom(db, services, mum.id)).toMatchObject({
      left: services.policy.newCustomer.spendMicroUsd,
    })
    world.clock.advance(30 * 24 * 3600_000)
    expect(await tierOf(db, services, mum.id)).toBe('newly_paid')
    // Given credits never go to a card.
    const own = await order(world, mum.id, 5)
    await deliver(world, own.paid())
    expect(await offerRefund(services, mum.id, own.id)).toMatchObject({
      ok: true,
      value: { amount: 5, gift: false },
    })
  })
})

describe('a blocked buyer', () => {
  const unknown = { ok: false, rejection: { code: 'unknown_code' } }
  const restrict = (action: 'block' | 'unblock', email: string) =>
    restrictAccount(services, action, { email, reason: 'many cards', actor: 'test' })

  test('has booklets on hold, the other ones too, until the block is lifted or they are refunded', async () => {
    const [ana, mum] = await people()
    const disputed = await buyGift(world, ana)
    const other = await buyGift(world, ana, { toName: 'Dad' })
    await deliver(world, disputed.order.dispute(10))
    expect(await redeem(world, mum.id, other.code)).toEqual(unknown)
    expect(await lookUpGift(services, mum.id, other.code, address)).toEqual(unknown)
    expect(await giftOf(world, ana.id, other.order.id)).toMatchObject({
      state: 'on_hold',
      code: null,
      amount: 10,
    })
    await deliver(world, disputed.order.dispute(10, 'won'))
    expect(await redeem(world, mum.id, other.code)).toMatchObject({ ok: true })

    const byHand = await buyGift(world, ana, { toName: 'Aunt' })
    const refunded = await buyGift(world, ana, { toName: 'Uncle' })
    expect(await restrict('block', ana.email)).toMatchObject({ ok: true })
    expect(await redeem(world, mum.id, byHand.code)).toEqual(unknown)
    expect(await requestRefund(services, ana.id, refunded.order.id, 10)).toMatchObject({ ok: true })
    expect(await restrict('unblock', ana.email)).toMatchObject({ ok: true })
    expect(await redeem(world, mum.id, byHand.code)).toMatchObject({ ok: true })
    expect(await redeem(world, mum.id, refunded.code)).toEqual(unknown)
    await balanced()
  })

  test('does not free booklets by deleting the account, which an honest one leaves in use', async () => {
    const [ana, mum] = await people()
    const ben = await world.addUser()
    const [ofThief, ofFriend] = [await buyGift(world, ana), await buyGift(world, ben)]
    await restrict('block', ana.email)
    for (const { id, email } of [ana, ben]) {
      expect(await deleteWithPassword(world, id, email)).toMatchObject({ ok: true })
    }
    expect(await redeem(world, mum.id, ofThief.code)).toEqual(unknown)
    expect(await redeem(world, mum.id, ofFriend.code)).toMatchObject({ ok: true })
    await balanced()
  })
})

/** As a server of the version before 0051 would. */
async function creditAsBefore(tx: Transaction, id: string, key: string, account: number): Promise<void> {
  const at = services.clock.now()
  await tx.query(
    `update payment set state = 'paid', paid_at = $2, receipt = nextval('receipt_number'), intent_ref = 'pi_before'
     where id = $1`,
    [id, at],
  )
  await post(tx, { key, debit: 'payments', credit: account, amountMicroUsd: 10_000_000, paymentId: id, at })
}

describe.each(['payment', 'bonus', 'release'])('a server that knows no gifts posts %s:', cause => {
  test('and the database refuses to credit the buyer', async () => {
    const [ana] = await people()
    const { id } = await orderGift(world, ana.id)
    const asBefore = db.transaction(tx => creditAsBefore(tx, id, `${cause}:${id}`, ana.account_id))
    await expect(asBefore).rejects.toThrow('not credited to its buyer')
    expect(await paymentsOf(world, ana.id)).toMatchObject([{ state: 'open' }])
    // A payment of credits is none of the guard's business.
    await deliver(world, (await order(world, ana.id, 5)).paid())
    expect(await accountState(world, ana.id)).toMatchObject({ balance: 5 })
    await balanced()
  })

  test('and the books would say so', async () => {
    const [ana] = await people()
    const { id } = await orderGift(world, ana.id)
    const undone = new Error('rolled back')
    const asBefore = db.transaction(async tx => {
      await tx.query('alter table transfer disable trigger transfer_of_gift')
      await creditAsBefore(tx, id, `${cause}:${id}`, ana.account_id)
      const invariants = (await findBreaches(tx)).map(({ invariant }) => invariant)
      expect(
        invariants.filter(invariant => invariant.startsWith('I3 what was paid for a booklet')),
      ).toHaveLength(1)
      throw undone
    })
    await expect(asBefore).rejects.toBe(undone)
  })
})

test('a booklet refunded at the provider gives its redeemer no tier any more, until the refund fails', async () => {
  const [ana, mum] = await people()
  const { order: one, code } = await buyGift(world, ana)
  await redeem(world, mum.id, code)
  await deliver(world, one.refund(4, 'succeeded', `re_part_${one.id}`))
  expect(await tierOf(db, services, mum.id)).toBe('newly_paid')
  await deliver(world, one.refund(6))
  expect(await tierOf(db, services, mum.id)).toBe('never_paid')
  expect(await accountState(world, mum.id)).toMatchObject({ balance: 10 })
  await deliver(world, one.refund(6, 'failed'))
  expect(await tierOf(db, services, mum.id)).toBe('newly_paid')
  await balanced()
})

test('a refunded payment of long ago does not free redeemed credits of the first hours', async () => {
  const [ana, mum] = await people()
  const own = await order(world, mum.id, 5)
  await deliver(world, own.paid())
  await deliver(world, own.refund(5))
  world.clock.advance(30 * 24 * 3600_000)
  expect(await newCustomerRoom(db, services, mum.id)).toBeUndefined()
  const { code } = await buyGift(world, ana, { amountUsd: 100 })
  await redeem(world, mum.id, code)
  expect(await newCustomerRoom(db, services, mum.id)).toMatchObject({
    left: services.policy.newCustomer.spendMicroUsd,
  })
  world.clock.advance(services.policy.newCustomer.hours * 3600_000)
  expect(await newCustomerRoom(db, services, mum.id)).toBeUndefined()
  await balanced()
})
