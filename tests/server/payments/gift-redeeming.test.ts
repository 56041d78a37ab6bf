import { describe, expect, test } from 'vitest'
import { giftCodePolicy } from '#server/config/policy.ts'
import { lookUpGift } from '#server/payments/gifts/redeem-gift.ts'
import { findBreaches } from '#support/books.ts'
import { Failpoint, failAt } from '#support/failpoint.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, deliver } from './buyer.ts'
import { address, buyGift, giftOf, mailEnvelopes, mailsTo, orderGift, redeem } from './gift-people.ts'

const world = keepForFile(await createWorld())
const { db, services, provider } = world
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
    const readMails = () => mailsTo(world, `mum-of-${ana.id}@example.org`, 'gift:')
    expect(await readMails()).toEqual([])
    await mailEnvelopes(world)
    const mails = await readMails()
    expect(mails).toHaveLength(1)
    // What strangers write is told apart from what we write.
    expect(mails[0]?.data.subject).toBe('Somebody sent you a line: $10.00 for calls')
    expect(mails[0]?.data.text).toContain("the sender's words, not ours")
    expect(mails[0]?.data.text).toContain(`http://localhost:4321/redeem#code=${code}`)
    expect(mails[0]?.data.text).toContain('Call me on Sunday.')
    expect(await mailsTo(world, ana.email, `receipt:${one.id}`)).toHaveLength(1)

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
    expect(await mailsTo(world, ana.email, `gift-redeemed:${one.id}`)).toHaveLength(1)
    await balanced()
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
    const refused = { ok: false, rejection: { code: 'unknown_code' } }
    for (const code of ['', 'nonsense', '0000-0000-0000-0000-0000', used.code])
      expect(await redeem(world, mum.id, code)).toEqual(refused)
    for (let n = 0; n < 6; n += 1)
      expect(await lookUpGift(services, mum.id, `x${n}`, address)).toEqual(refused)
    expect(await redeem(world, mum.id, used.code)).toMatchObject({ rejection: { code: 'too_many_codes' } })
    const right = await buyGift(world, ana)
    expect(await redeem(world, mum.id, right.code)).toMatchObject({ rejection: { code: 'too_many_codes' } })
    world.clock.advance(3600_001)
    expect(await redeem(world, mum.id, right.code)).toMatchObject({ ok: true })
  })

  test('of one account takes no tries from the others at its address', async () => {
    const [eager, other] = await people()
    const from = '198.51.100.8'
    for (let n = 0; n < 300; n += 1) await lookUpGift(services, eager.id, 'wrong', from)
    expect(await lookUpGift(services, eager.id, 'wrong', from)).toMatchObject({
      rejection: { code: 'too_many_codes' },
    })
    expect(await lookUpGift(services, other.id, 'wrong', from)).toMatchObject({
      rejection: { code: 'unknown_code' },
    })
  })

  test('of many accounts at one address is bounded too, and costs an account nothing there', async () => {
    const from = '198.51.100.9'
    const { maxPerAccount, maxPerAddress } = giftCodePolicy
    for (let n = 0; n < maxPerAddress; n += 1) {
      const account = String(Math.floor(n / maxPerAccount)).padStart(12, '0')
      await lookUpGift(services, `00000000-0000-4000-8000-${account}`, 'wrong', from)
    }
    const [late] = await people()
    for (let n = 0; n < maxPerAccount + 1; n += 1) {
      expect(await lookUpGift(services, late.id, 'wrong', from)).toMatchObject({
        rejection: { code: 'too_many_codes' },
      })
    }
    expect(await lookUpGift(services, late.id, 'wrong', address)).toMatchObject({
      rejection: { code: 'unknown_code' },
    })
  })

  test('is for confirmed accounts that may call, three a day', async () => {
    const [ana, mum] = await people()
    const codes: string[] = []
    for (let n = 0; n < 4; n += 1) codes.push((await buyGift(world, ana, { toName: `Mum ${n}` })).code)
    await db.query('update app_user set email_verified_at = null where id = $1', [mum.id])
    expect(await redeem(world, mum.id, codes[0] ?? '')).toMatchObject({
      rejection: { code: 'email_unverified' },
    })
    await db.query('update app_user set email_verified_at = now(), can_call = false where id = $1', [mum.id])
    expect(await redeem(world, mum.id, codes[0] ?? '')).toMatchObject({ rejection: { code: 'call_blocked' } })
    await db.query('update app_user set can_call = true where id = $1', [mum.id])
    for (const code of codes.slice(0, 3))
      expect(await redeem(world, mum.id, code)).toMatchObject({ ok: true })
    expect(await redeem(world, mum.id, codes[3] ?? '')).toMatchObject({ rejection: { code: 'gift_limit' } })
    expect(await accountState(world, mum.id)).toMatchObject({ balance: 30 })
    await balanced()
  })
})
