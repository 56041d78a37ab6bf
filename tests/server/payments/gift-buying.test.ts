import { expect, test } from 'vitest'
import { forgetGiftTexts } from '#server/accounts/retention/forget-gift-texts.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { openGiftCheckout } from '#server/payments/gifts/order-gift.ts'
import { lookUpGift } from '#server/payments/gifts/redeem-gift.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { paymentsOf } from './buyer.ts'
import { address, buyGift, giftOf, letter, mailEnvelopes, mailsTo, orderGift, redeem } from './gift-people.ts'

const world = keepForFile(await createWorld())
const { db, services } = world
const balanced = async () => expect(await findBreaches(db)).toEqual([])
const people = () => Promise.all([world.addUser(), world.addUser()])

test('a booklet keeps its code as a hash and encrypted, and its key away from the database', async () => {
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

test('a booklet of the buyer and the redeemer is in both histories, on no balance but the redeemer’s', async () => {
  const [ana, mum] = await people()
  const { order: one, code } = await buyGift(world, ana)
  await redeem(world, mum.id, code)
  const sent = await listTransfers(db, ana.id, {}, world.clock.now())
  expect(sent.transfers).toMatchObject([
    {
      kind: 'gift',
      description: 'Gift for Mum, $10.00 by card',
      amount: 0,
      balance: 0,
      payment: { id: one.id, refund: 'none' },
    },
  ])
  const got = await listTransfers(db, mum.id, {}, world.clock.now())
  expect(got.transfers).toMatchObject([
    { kind: 'gift_received', description: 'Gift from Ana', amount: 10, balance: 10, payment: null },
  ])
  await balanced()
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
  await mailEnvelopes(world)
  expect(await mailsTo(world, to, 'gift:')).toHaveLength(3)
  await balanced()
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
