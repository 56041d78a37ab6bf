import { describe, expect, test } from 'vitest'
import { restrictAccount } from '#server/admin/restrict.ts'
import { disputeReason } from '#server/identity/block-reason.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { createLocalInbox, listInbox } from '#server/mail/local-inbox.ts'
import { receiveEvent } from '#server/payments/receive.ts'
import { requestRefund } from '#server/payments/refunds/refund-request.ts'
import { releasePayment } from '#server/payments/release.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, deliver, type Order, order, paymentsOf, spend } from './buyer.ts'

const world = keepForFile(await createWorld())
async function rowsNow(): Promise<unknown> {
  const tables = ['transfer', 'payment_event', 'refund', 'dispute', 'job', 'saved_card']
  const counts = await Promise.all(
    tables.map(table => world.db.query(`select count(*)::int as n from ${table}`)),
  )
  return counts
}

describe('a payment', () => {
  test('brings its credits, the bonus, a receipt and the e-mail, once, and notifies the page', async () => {
    const { id, email } = await world.addUser()
    const one = await order(world, id, 50)
    world.notices.length = 0
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => deliver(world, one.paid(), `evt_same_${one.id}`)),
    )
    expect(answers.every(({ ok }) => ok)).toBe(true)
    expect(await accountState(world, id)).toMatchObject({ balance: 52 })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 52, payments: -50, promotions: -2 })
    const [payment] = await paymentsOf(world, id)
    expect(payment).toMatchObject({ state: 'paid', card_brand: 'visa', card_last4: '4242', held: 0 })
    expect(world.notices).toContainEqual({ kind: 'balance', userId: id, event: { credits: 52 } })
    const mails = await world.db.query<{ data: { to: string; subject: string; text: string } }>(
      'select data from job where key = $1',
      [`mail:receipt:${one.id}`],
    )
    expect(mails).toHaveLength(1)
    expect(mails[0]?.data).toMatchObject({ to: email, subject: 'Your receipt, $50.00' })
    expect(mails[0]?.data.text).toContain(`F-2026-${String(payment?.receipt).padStart(4, '0')}`)
    expect(mails[0]?.data.text).toContain('Bonus credits: +$2.00')
  })

  test('reported by 50 different events at once, counts once', async () => {
    const { id } = await world.addUser()
    const one = await order(world, id, 100)
    await Promise.all(Array.from({ length: 50 }, () => deliver(world, one.paid())))
    expect(await accountState(world, id)).toMatchObject({ balance: 110 })
  })

  test('keeps the card of a buyer who agreed, instead of an earlier one, which is forgotten', async () => {
    const { id } = await world.addUser()
    const [first, second] = [await order(world, id, 10, true), await order(world, id, 25, true)]
    await deliver(world, first.paid())
    await deliver(world, second.paid({ card: { brand: 'mastercard', last4: '4444', fingerprint: 'fp-2' } }))
    const cards = await world.db.query('select method_ref, brand, last4 from saved_card where user_id = $1', [
      id,
    ])
    expect(cards).toEqual([{ method_ref: `pm_${second.id}`, brand: 'mastercard', last4: '4444' }])
    expect(world.provider.forgotten).toContain(`pm_${first.id}`)
    const [user] = await world.db.query(
      'select has_saved_payment_method, auto_topup_enabled from app_user where id = $1',
      [id],
    )
    expect(user).toEqual({ has_saved_payment_method: true, auto_topup_enabled: true })
  })

  test('keeps no card of a buyer who did not', async () => {
    const { id } = await world.addUser()
    const one = await order(world, id, 10)
    await deliver(world, one.paid({ kept: { customerRef: 'cus_x', methodRef: 'pm_x' } }))
    expect(await world.db.query('select 1 from saved_card where user_id = $1', [id])).toEqual([])
  })

  test('above $500 in a day waits for a review, and the bonus with it', async () => {
    const user = await world.addUser()
    const first = await order(world, user.id, 400)
    await deliver(world, first.paid())
    expect(await accountState(world, user.id)).toMatchObject({ balance: 440 })
    const second = await order(world, user.id, 300)
    await deliver(world, second.paid())
    expect(await accountState(world, user.id)).toMatchObject({ balance: 540 })
    expect(await accountsOf(world, second.id)).toEqual({ customer: 100, payments: -300, unreleased: 200 })
    const by = { actor: 'test', reason: 'known customer' }
    expect(await releasePayment(world.services, second.id, by)).toEqual({ ok: true, value: 230_000_000 })
    expect(await releasePayment(world.services, second.id, by)).toEqual({ ok: false, code: 'nothing_held' })
    expect(await accountState(world, user.id)).toMatchObject({ balance: 770 })
    const emails = await world.db.query<{ data: { to: string; subject: string } }>(
      'select data from job where key = $1',
      [`mail:release:${second.id}`],
    )
    expect(emails.map(({ data }) => [data.to, data.subject])).toEqual([
      [user.email, '$230.00 of credits added after our review'],
    ])
    world.clock.advance(24 * 3600_000)
    await deliver(world, (await order(world, user.id, 500)).paid())
    expect(await accountState(world, user.id)).toMatchObject({ balance: 1320 })
  })
})

describe('what does not fit', () => {
  test('rejects an amount that differs from the payment’s, and writes nothing', async () => {
    const { id } = await world.addUser()
    const one = await order(world, id, 50)
    const before = await rowsNow()
    expect(await deliver(world, one.paid({ amountMicroUsd: 5_000_000 }))).toEqual({
      ok: false,
      code: 'contradiction',
    })
    expect(await rowsNow()).toEqual(before)
    // The corrected event is not taken for one that was already applied.
    expect((await deliver(world, one.paid())).ok).toBe(true)
    expect(await deliver(world, one.paid({ intentRef: 'pi_other' }))).toMatchObject({ code: 'contradiction' })
    expect(await accountState(world, id)).toMatchObject({ balance: 52 })
  })

  test('rejects a payment that is not ours', async () => {
    const { id } = await world.addUser()
    const one = await order(world, id, 50)
    for (const paymentId of ['nobody', '00000000-0000-4000-8000-000000000000']) {
      expect(await deliver(world, one.paid({ paymentId }))).toMatchObject({ code: 'contradiction' })
      expect((await deliver(world, { ...one.expired(), paymentId })).ok).toBe(true)
    }
    expect(await accountState(world, id)).toMatchObject({ balance: 0 })
  })

  test.each([
    ['a refund of more than was paid', (one: Order) => one.refund(5_000_000_000)],
    ['a refund of a cent more than is left', (one: Order) => one.refund(30.01, 'succeeded', `re2_${one.id}`)],
    ['a dispute of more than was paid', (one: Order) => one.dispute(5_000_000_000)],
    [
      'a dispute beside another, of more in total',
      (one: Order) => one.dispute(40.01, 'lost', `dp2_${one.id}`),
    ],
    ['a refund of nothing', (one: Order) => one.refund(0, 'succeeded', `re2_${one.id}`)],
    ['a refund known with another amount', (one: Order) => one.refund(20.01)],
    ['a dispute known with another amount', (one: Order) => one.dispute(9.99, 'lost')],
    [
      'a refund in another currency',
      ({ intentRef }: Order) => ({ kind: 'foreign_currency', intentRef }) as const,
    ],
  ])('rejects %s, writes nothing, and takes repeats of what fits', async (_what, excessOf) => {
    const { id } = await world.addUser()
    const one = await order(world, id, 50)
    await deliver(world, one.paid())
    await deliver(world, one.refund(20))
    await deliver(world, one.dispute(10))
    const [before, accounts] = [await rowsNow(), await accountsOf(world, one.id)]
    expect(await deliver(world, excessOf(one))).toEqual({ ok: false, code: 'contradiction' })
    expect(await rowsNow()).toEqual(before)
    for (const known of [one.refund(20), one.dispute(10)]) expect((await deliver(world, known)).ok).toBe(true)
    expect(await accountsOf(world, one.id)).toEqual(accounts)
    expect(await findBreaches(world.db)).toEqual([])
  })

  test('rejects an answer about our own refund with another amount than we asked for', async () => {
    const user = await world.addUser()
    const one = await order(world, user.id, 50)
    await deliver(world, one.paid())
    world.provider.away = 'before'
    await requestRefund(world.services, user.id, one.id, 50)
    world.provider.away = 'no'
    const [{ key } = { key: '' }] = await world.db.query<{ key: string }>(
      'select key from refund where payment_id = $1',
      [one.id],
    )
    const ofKey = (usd: number) => one.refund(usd, 'succeeded', `re_${key}`, key)
    expect(await deliver(world, ofKey(49))).toMatchObject({ code: 'contradiction' })
    expect((await deliver(world, ofKey(50))).ok).toBe(true)
    expect(await findBreaches(world.db)).toEqual([])
  })

  test('drops what exceeds its payment and was reported before it, and keeps what fits', async () => {
    const { id } = await world.addUser()
    const one = await order(world, id, 50)
    await deliver(world, one.refund(20))
    await deliver(world, one.refund(5_000_000_000, 'succeeded', `re_huge_${one.id}`))
    await deliver(world, one.dispute(5_000_000_000))
    expect((await deliver(world, one.paid())).ok).toBe(true)
    expect(await accountState(world, id)).toMatchObject({ balance: 31.2, canCall: true })
    expect(await deliver(world, one.dispute(5_000_000_000))).toMatchObject({ code: 'contradiction' })
    expect(await findBreaches(world.db)).toEqual([])
  })

  test('takes a dispute of what was refunded: its bank knows nothing of it', async () => {
    const { id } = await world.addUser()
    const one = await order(world, id, 50)
    await deliver(world, one.paid())
    await deliver(world, one.refund(50))
    expect((await deliver(world, one.dispute(50))).ok).toBe(true)
    expect(await findBreaches(world.db)).toEqual([])
  })

  test('forged and altered events write nothing (REL-11)', async () => {
    const { id } = await world.addUser()
    const one = await order(world, id, 50)
    const before = await rowsNow()
    const { body, signature } = world.provider.event(one.paid())
    const bytes = (text: string) => Buffer.from(text)
    for (const [text, sign] of [
      [body, ''],
      [body, `${signature.slice(0, -1)}0x`],
      [body.replace('50000000', '51000000'), signature],
    ] as const) {
      expect(await receiveEvent(world.services, bytes(text), sign)).toEqual({ ok: false, code: 'forged' })
    }
    expect(await rowsNow()).toEqual(before)
  })
})

describe('what is not there any more', () => {
  test('is our loss, and never a debt', async () => {
    const user = await world.addUser()
    const one = await order(world, user.id, 50)
    await deliver(world, one.paid())
    await spend(world, user, 30)
    await deliver(world, one.dispute(50))
    expect(await accountState(world, user.id)).toEqual({ balance: 0, canCall: false, reason: disputeReason })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 30, dispute_losses: -30 })
    await deliver(world, one.dispute(50, 'won'))
    expect(await accountState(world, user.id)).toEqual({ balance: 22, canCall: true, reason: null })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 52, payments: -50, promotions: -2 })
  })

  test('a refund of what is held for review uses that first, and a release then brings the rest', async () => {
    const user = await world.addUser()
    const one = await order(world, user.id, 1000)
    await deliver(world, one.paid())
    await deliver(world, one.refund(600))
    expect(await accountState(world, user.id)).toMatchObject({ balance: 400 })
    await releasePayment(world.services, one.id, { actor: 'test', reason: 'fine' })
    // 400 of 1000 are left, and 40 of the bonus of 100 with them.
    expect(await accountState(world, user.id)).toMatchObject({ balance: 440 })
    await deliver(world, one.refund(600, 'failed'))
    expect(await accountState(world, user.id)).toMatchObject({ balance: 1100 })
  })

  test('a user unblocked by an operator stays so however the dispute continues; another dispute blocks again', async () => {
    const { id, email } = await world.addUser()
    const [one, two] = [await order(world, id, 50), await order(world, id, 25)]
    for (const { paid } of [one, two]) await deliver(world, paid())
    await deliver(world, one.dispute(50))
    world.clock.advance(1)
    const unblock = { email, reason: 'settled by mail', actor: 'test' }
    expect(await restrictAccount(world.services, 'unblock', unblock)).toMatchObject({ ok: true })
    world.clock.advance(1)
    for (const state of ['open', 'lost'] as const) {
      await deliver(world, one.dispute(50, state))
      expect(await accountState(world, id)).toMatchObject({ canCall: true, reason: null })
    }
    await deliver(world, two.dispute(25))
    expect(await accountState(world, id)).toMatchObject({ canCall: false, reason: disputeReason })
    await deliver(world, two.dispute(25, 'won'))
    expect(await accountState(world, id)).toMatchObject({ canCall: true, reason: null })
  })

  test('a block for another reason outlives a dispute that was won', async () => {
    const user = await world.addUser()
    const one = await order(world, user.id, 50)
    await deliver(world, one.paid())
    await world.db.query(
      `update app_user set can_call = false, blocked_reason = 'Too many calls.' where id = $1`,
      [user.id],
    )
    await deliver(world, one.dispute(50))
    await deliver(world, one.dispute(50, 'won'))
    expect(await accountState(world, user.id)).toMatchObject({ canCall: false, reason: 'Too many calls.' })
  })
})

test('the receipt arrives', async () => {
  const { id, email } = await world.addUser()
  await deliver(world, (await order(world, id, 600)).paid())
  const mailer = createLocalInbox(world.db, world.clock)
  const onFailure = (_job: unknown, error: unknown) => {
    throw error
  }
  while ((await runDueJobs({ db: world.db, clock: world.clock, mailer, onFailure })) > 0);
  const mail = (await listInbox(world.db)).find(({ to, subject }) => to === email && /receipt/.test(subject))
  expect(mail?.text).toContain('Thank you. $500.00 is in your balance')
  expect(mail?.text).toContain('$160.00 of credits will arrive after a short review')
  expect(mail?.html).toContain('Visa ending 4242')
})
