import { describe, expect, test } from 'vitest'
import { forgetGiftTexts } from '#server/accounts/retention/forget-gift-texts.ts'
import { post } from '#server/ledger/ledger.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { openGiftCheckout } from '#server/payments/gifts/order-gift.ts'
import { lookUpGift } from '#server/payments/gifts/redeem-gift.ts'
import { offerRefund, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { releasePayment } from '#server/payments/release.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { newCustomerRoom } from '#server/spending/new-customer.ts'
import { tierOf } from '#server/spending/trust-tier.ts'
import { findBreaches } from '#support/books.ts'
import { Failpoint, failAt } from '#support/failpoint.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, cardOf, deliver, order, paymentsOf, spend } from './buyer.ts'
import { address, buyGift, giftOf, letter, orderGift, redeem } from './gift-people.ts'

const world = keepForFile(await createWorld())
const { db, services, provider } = world

async function mailsTo(to: string, key: string) {
  return db.query<{ data: { subject: string; text: string; html: string } }>(
    `select data from job where kind = 'mail' and key like $1 and data->>'to' = $2`,
    [`mail:${key}%`, to],
  )
}
const balanced = async () => expect(await findBreaches(db)).toEqual([])
const people = () => Promise.all([world.addUser(), world.addUser()])

describe('a booklet', () => {
  test('waits in gifts, is mailed once, and is redeemed by whoever has the code', async () => {
    const [ana, mum] = await people()
    const one = await orderGift(world, ana.id, { recipientEmail: `mum-of-${ana.id}@example.org` })
    expect(provider.orders.at(-1)).toMatchObject({ purpose: 'gift', authenticate: true, savesCard: false })
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => deliver(world, one.paid(), `evt_${n % 2}_${one.id}`)),
    )
    expect(await accountsOf(world, one.id)).toEqual({ gifts: 10, payments: -10 })
    expect(await accountState(world, ana.id)).toMatchObject({ balance: 0 })
    const gift = await giftOf(world, ana.id, one.id)
    expect(gift).toMatchObject({ state: 'ready', amount: 10, mailed: true, toName: 'Mum' })
    const code = gift.code ?? ''
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/)
    const mails = await mailsTo(`mum-of-${ana.id}@example.org`, 'gift:')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.data.text).toContain(`http://localhost:4321/redeem#code=${code}`)
    expect(mails[0]?.data.text).toContain('Call me on Sunday.')
    expect(await mailsTo(ana.email, `receipt:${one.id}`)).toHaveLength(1)

    expect(await lookUpGift(services, mum.id, code.toLowerCase(), address)).toEqual({
      ok: true,
      value: { amountMicroUsd: 10_000_000, fromName: 'Ana', toName: 'Mum', message: 'Call me on Sunday.' },
    })
    const redeemed = {
      ok: true,
      value: { amountMicroUsd: 10_000_000, balanceMicroUsd: 10_000_000, fromName: 'Ana' },
    }
    expect(await redeem(world, mum.id, code)).toEqual(redeemed)
    // The answer was lost, and the page was opened again.
    expect(await lookUpGift(services, mum.id, code, address)).toMatchObject({
      value: { amountMicroUsd: 10_000_000 },
    })
    expect(await lookUpGift(services, ana.id, code, address)).toMatchObject({ ok: false })
    expect(await redeem(world, mum.id, code)).toEqual(redeemed)
    expect(await accountState(world, mum.id)).toMatchObject({ balance: 10 })
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({
      state: 'redeemed',
      code: null,
      recipientEmail: null,
      redeemedAt: world.clock.now().toISOString(),
    })
    expect(await mailsTo(ana.email, `gift-redeemed:${one.id}`)).toHaveLength(1)
    await balanced()
  })

  test('keeps its code as a hash and encrypted, and its key away from the database', async () => {
    const [ana] = await people()
    const { order: one, code } = await buyGift(world, ana)
    const [row] = await db.query<{ text: string }>(
      'select gift::text as text from gift where payment_id = $1',
      [one.id],
    )
    const bare = code.replaceAll('-', '')
    expect(row?.text).not.toContain(bare)
    expect(row?.text).not.toContain(Buffer.from(bare).toString('hex'))
    // After a change of the secret the printed code works still, and only its copy here is lost.
    const changed = { ...services, keys: deriveKeys('another secret that is long enough, made after a leak') }
    const [, other] = await people()
    expect(await lookUpGift(changed, other.id, code, address)).toMatchObject({ ok: true })
  })

  test('of the buyer and the redeemer is in both histories, on no balance but the redeemer’s', async () => {
    const [ana, mum] = await people()
    const { order: one, code } = await buyGift(world, ana)
    await redeem(world, mum.id, code)
    const sent = await listTransfers(db, ana.id, {}, world.clock.now())
    expect(sent.transfers).toMatchObject([
      {
        kind: 'gift',
        words: 'Gift for Mum, $10.00 by card',
        amount: 0,
        balance: 0,
        payment: { id: one.id, refund: 'none' },
      },
    ])
    const got = await listTransfers(db, mum.id, {}, world.clock.now())
    expect(got.transfers).toMatchObject([
      { kind: 'gift_received', words: 'Gift from Ana', amount: 10, balance: 10, payment: null },
    ])
  })

  test('is redeemed once, whoever asks at once', async () => {
    const [ana, ...others] = await Promise.all(Array.from({ length: 6 }, () => world.addUser()))
    const { order: one, code } = await buyGift(world, ana as never)
    const answers = await Promise.all(
      others.flatMap(({ id }) => [redeem(world, id, code), redeem(world, id, code)]),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2)
    expect(await accountsOf(world, one.id)).toEqual({ customer: 10, payments: -10 })
    await balanced()
  })

  test.each(['before', 'after'] as const)(
    'survives a database that fails %s any statement of a redemption',
    async where => {
      const [ana] = await people()
      const mum = await world.addUser()
      for (let at = 1; at < 40; at += 1) {
        const { code } = await buyGift(world, ana, { amountUsd: 5 })
        // Within the budget of ten booklets in 30 days.
        world.clock.advance(4 * 24 * 3600_000)
        const failing = failAt(db, at, where)
        const broken = { ...world, services: { ...services, db: failing.db } }
        await redeem(broken, mum.id, code).catch((error: unknown) => {
          if (!(error instanceof Failpoint)) throw error
        })
        expect(await redeem(world, mum.id, code)).toMatchObject({
          ok: true,
          value: { balanceMicroUsd: 5_000_000 * at },
        })
        if (failing.count() < at) break
      }
      await balanced()
    },
  )
})

describe('a code', () => {
  test('that is wrong, used or refunded gets one answer, and is tried ten times an hour', async () => {
    const [ana, mum] = await people()
    const used = await buyGift(world, ana)
    const [other] = await people()
    await redeem(world, other.id, used.code)
    const refused = { ok: false, refusal: { code: 'unknown_code' } }
    for (const code of ['', 'nonsense', '0000-0000-0000-0000-0000', used.code])
      expect(await redeem(world, mum.id, code)).toEqual(refused)
    for (let n = 0; n < 6; n += 1)
      expect(await lookUpGift(services, mum.id, `x${n}`, address)).toEqual(refused)
    expect(await redeem(world, mum.id, used.code)).toMatchObject({ refusal: { code: 'too_many_codes' } })
    const right = await buyGift(world, ana)
    expect(await redeem(world, mum.id, right.code)).toMatchObject({ refusal: { code: 'too_many_codes' } })
    world.clock.advance(3600_001)
    expect(await redeem(world, mum.id, right.code)).toMatchObject({ ok: true })
  })

  test('of many accounts at one address is bounded too', async () => {
    const from = '198.51.100.9'
    for (let n = 0; n < 50; n += 1) {
      const { id } = n % 10 === 0 ? await world.addUser() : { id: `00000000-0000-4000-8000-0000000000${n}` }
      await lookUpGift(services, id, 'wrong', from)
    }
    const [late] = await people()
    expect(await lookUpGift(services, late.id, 'wrong', from)).toMatchObject({
      refusal: { code: 'too_many_codes' },
    })
    expect(await lookUpGift(services, late.id, 'wrong', address)).toMatchObject({
      refusal: { code: 'unknown_code' },
    })
  })

  test('is for confirmed accounts that may call, three a day', async () => {
    const [ana, mum] = await people()
    const codes: string[] = []
    for (let n = 0; n < 4; n += 1) codes.push((await buyGift(world, ana, { toName: `Mum ${n}` })).code)
    await db.query('update app_user set email_verified_at = null where id = $1', [mum.id])
    expect(await redeem(world, mum.id, codes[0] ?? '')).toMatchObject({
      refusal: { code: 'email_unverified' },
    })
    await db.query('update app_user set email_verified_at = now(), can_call = false where id = $1', [mum.id])
    expect(await redeem(world, mum.id, codes[0] ?? '')).toMatchObject({ refusal: { code: 'call_blocked' } })
    await db.query('update app_user set can_call = true where id = $1', [mum.id])
    for (const code of codes.slice(0, 3))
      expect(await redeem(world, mum.id, code)).toMatchObject({ ok: true })
    expect(await redeem(world, mum.id, codes[3] ?? '')).toMatchObject({ refusal: { code: 'gift_limit' } })
    expect(await accountState(world, mum.id)).toMatchObject({ balance: 30 })
    await balanced()
  })
})

describe('a refund', () => {
  test('is there while nobody has redeemed, whenever that is, and ends the code', async () => {
    const [ana, mum] = await people()
    const { order: one, code } = await buyGift(world, ana)
    world.clock.advance(300 * 24 * 3600_000)
    expect(await offerRefund(services, ana.id, one.id)).toEqual({
      ok: true,
      value: { amount: 10, credits: 0, gift: true, until: null },
    })
    expect(await requestRefund(services, ana.id, one.id, 10)).toMatchObject({ ok: true })
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'refunded', code: null })
    expect(await redeem(world, mum.id, code)).toMatchObject({ refusal: { code: 'unknown_code' } })
    expect(await accountsOf(world, one.id)).toEqual({})
    await balanced()
  })

  test('that the bank does not take makes the booklet whole again', async () => {
    const [ana, mum] = await people()
    const { order: one, code } = await buyGift(world, ana)
    provider.refunding = 'refused'
    expect(await requestRefund(services, ana.id, one.id, 10)).toEqual({ ok: false, code: 'refund_refused' })
    provider.refunding = 'succeeded'
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'ready' })
    const [mail] = await mailsTo(ana.email, 'refund:')
    expect(mail?.data.text).toContain('your booklet works again')
    expect(await redeem(world, mum.id, code)).toMatchObject({
      ok: true,
      value: { balanceMicroUsd: 10_000_000 },
    })
    expect(await offerRefund(services, ana.id, one.id)).toEqual({ ok: false, code: 'gift_redeemed' })
    await balanced()
  })

  test('and a redemption at once: one of them has the money', async () => {
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
})

describe('a dispute', () => {
  test('stops a code while it is open, and a won one lets it work again', async () => {
    const [ana, mum] = await people()
    const { order: one, code } = await buyGift(world, ana)
    await deliver(world, one.dispute(10))
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'disputed', code: null })
    expect(await accountState(world, ana.id)).toMatchObject({ canCall: false })
    expect(await redeem(world, mum.id, code)).toMatchObject({ refusal: { code: 'unknown_code' } })
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

  test('told before the payment leaves no booklet and no envelope', async () => {
    const [ana] = await people()
    const one = await orderGift(world, ana.id, { recipientEmail: `early-${ana.id}@example.org` })
    await deliver(world, one.dispute(10))
    await deliver(world, one.paid())
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'disputed', mailed: null })
    expect(await mailsTo(`early-${ana.id}@example.org`, 'gift:')).toEqual([])
    await balanced()
  })

  test('or a report of fraud sends an unredeemed booklet back', async () => {
    const [ana, mum] = await people()
    const { order: one, code } = await buyGift(world, ana)
    await deliver(world, one.reported())
    expect(await redeem(world, mum.id, code)).toMatchObject({ refusal: { code: 'unknown_code' } })
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
    expect(await mailsTo(`held-${ana.id}@example.org`, 'gift:')).toEqual([])
    expect(await releasePayment(services, second.id, { actor: 'test', reason: 'fine' })).toEqual({
      ok: true,
      value: 60_000_000,
    })
    expect(await giftOf(world, ana.id, second.id)).toMatchObject({ state: 'ready', mailed: true })
    expect(await mailsTo(`held-${ana.id}@example.org`, 'gift:')).toHaveLength(1)
    // A booklet in review can be refunded as well.
    expect(await requestRefund(services, ben.id, ofOther.id, 60)).toMatchObject({ ok: true })
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

  test('one mailbox gets three envelopes a day, and the buyer is told of the fourth', async () => {
    const to = `often-${world.services.random.uuid()}@example.org`
    const sent: (boolean | null)[] = []
    for (let n = 0; n < 4; n += 1) {
      const [buyer] = await people()
      const { order: one } = await buyGift(world, buyer, { recipientEmail: to, amountUsd: 5 })
      sent.push((await giftOf(world, buyer.id, one.id)).mailed)
    }
    expect(sent).toEqual([true, true, true, false])
    expect(await mailsTo(to, 'gift:')).toHaveLength(3)
  })

  test('an unconfirmed or restricted account sends nothing, and the same order twice is one checkout', async () => {
    const [ana, ben] = await people()
    await db.query('update app_user set email_verified_at = null where id = $1', [ana.id])
    expect(await openGiftCheckout(services, ana.id, letter)).toEqual({ ok: false, code: 'email_unverified' })
    await db.query('update app_user set can_call = false where id = $1', [ben.id])
    expect(await openGiftCheckout(services, ben.id, letter)).toEqual({ ok: false, code: 'call_blocked' })
    const [cy] = await people()
    const urls = await Promise.all([1, 2, 3].map(() => openGiftCheckout(services, cy.id, letter)))
    expect(new Set(urls.map(answer => answer.ok && answer.value.url)).size).toBe(1)
    expect(await paymentsOf(world, cy.id)).toHaveLength(1)
  })
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
    const { openGiftCode } = await import('#server/payments/gifts/gift-rows.ts')
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

test('a server that knows no gifts credits the buyer, and the books say so', async () => {
  const [ana] = await people()
  const { id } = await orderGift(world, ana.id)
  const undone = new Error('rolled back')
  const asBefore = db.transaction(async tx => {
    const at = services.clock.now()
    await tx.query(
      `update payment set state = 'paid', paid_at = $2, receipt = nextval('receipt_number'), intent_ref = 'pi_before'
       where id = $1`,
      [id, at],
    )
    const parties = { debit: 'payments', credit: ana.account_id } as const
    await post(tx, { key: `payment:${id}`, ...parties, amountMicroUsd: 10_000_000, paymentId: id, at })
    const breaches = await findBreaches(tx)
    expect(breaches).toHaveLength(1)
    expect(JSON.stringify(breaches)).toContain(id)
    throw undone
  })
  await expect(asBefore).rejects.toBe(undone)
})

test('addresses and texts are forgotten when they are no longer needed', async () => {
  const [ana] = await people()
  const { order: one } = await buyGift(world, ana)
  const unpaid = await orderGift(world, ana.id, { toName: 'Nobody' })
  world.clock.advance(91 * 24 * 3600_000)
  await forgetGiftTexts(services)
  expect(await giftOf(world, ana.id, one.id)).toMatchObject({
    recipientEmail: null,
    toName: 'Mum',
    state: 'ready',
  })
  expect(
    await db.query('select to_name, message, code_sealed from gift where payment_id = $1', [unpaid.id]),
  ).toEqual([{ to_name: null, message: null, code_sealed: null }])
})
