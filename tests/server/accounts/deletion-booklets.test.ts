import { expect, test } from 'vitest'
import { getProfile } from '#lib/api/profile.ts'
import { findUser } from '#server/identity/users.ts'
import { unredeemedGifts } from '#server/payments/gifts/sent-gifts.ts'
import { refundPayment } from '#server/payments/refunds/operator-refund.ts'
import { requestRefund } from '#server/payments/refunds/refund-request.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'
import { accountState, accountsOf, deliver } from '../payments/buyer.ts'
import {
  buyGift,
  mailEnvelopes,
  orderGift,
  mailsTo as queuedMailsTo,
  redeem,
} from '../payments/gift-people.ts'
import { mailsTo, newPerson } from './leavers.ts'

const web = keepForFile(await createWeb())
const { db, services } = web
const balanced = async () => expect(await findBreaches(db)).toEqual([])

/** Somebody who signed up and sent booklets that nobody has redeemed. */
async function sender(...amountsUsd: readonly number[]) {
  const person = await newPerson(web)
  const user = await findUser(db, person.userId)
  if (user === undefined) throw new Error('nobody signed up')
  const gifts: Awaited<ReturnType<typeof buyGift>>[] = []
  for (const amountUsd of amountsUsd) {
    web.clock.advance(1000)
    gifts.push(await buyGift(web, user, { amountUsd, toName: `For ${amountUsd}` }))
  }
  return { person, user, gifts }
}

test('booklets are named before the account goes, and whoever has a code redeems it afterwards', async () => {
  const { person, gifts } = await sender(5, 10)
  const profile = getProfile.reply.parse((await person.ask('GET', '/api/protected/profile')).json())
  expect(profile.booklets).toEqual([
    { state: 'ready', toName: 'For 10', amount: 10 },
    { state: 'ready', toName: 'For 5', amount: 5 },
  ])
  expect((await person.leave()).statusCode).toBe(204)
  const [mail] = (await mailsTo(web, person.email)).filter(({ subject }) =>
    subject.includes('has been deleted'),
  )
  expect(mail?.text).toContain('2 booklets that you sent, $15.00 in all,')
  await balanced()
  const mum = await web.addUser()
  expect(await redeem(web, mum.id, gifts[0]?.code ?? '')).toMatchObject({
    ok: true,
    value: { amountMicroUsd: 5_000_000 },
  })
  expect(await accountState(web, mum.id)).toMatchObject({ balance: 5 })
  await balanced()
  // The former buyer writes to support.
  const other = gifts[1]?.order.id ?? ''
  expect(
    await refundPayment(services, {
      requestId: services.random.uuid(),
      paymentId: other,
      amountMicroUsd: null,
      reason: 'wrote with the receipt',
      actor: 'test',
    }),
  ).toMatchObject({ ok: true, value: { amountMicroUsd: 10_000_000 } })
  expect(await redeem(web, mum.id, gifts[1]?.code ?? '')).toMatchObject({
    rejection: { code: 'unknown_code' },
  })
  expect(await accountsOf(web, other)).toEqual({})
  await balanced()
})

test('refunded booklets are not named', async () => {
  const { person, gifts } = await sender(5)
  expect(await requestRefund(services, person.userId, gifts[0]?.order.id ?? '', 5)).toMatchObject({
    ok: true,
  })
  expect(await unredeemedGifts(db, person.userId)).toEqual([])
  expect((await person.leave()).statusCode).toBe(204)
  const [mail] = (await mailsTo(web, person.email)).filter(({ subject }) =>
    subject.includes('has been deleted'),
  )
  expect(mail?.text).not.toContain('booklet')
  await balanced()
})

test('an envelope that waits for its hour is mailed before its buyer leaves', async () => {
  const { person, user } = await sender()
  const recipientEmail = `mum-of-${user.id}@example.org`
  const { code } = await buyGift(web, user, { recipientEmail })
  expect(await queuedMailsTo(web, recipientEmail, 'gift:')).toEqual([])
  expect((await person.leave()).statusCode).toBe(204)
  const mails = await queuedMailsTo(web, recipientEmail, 'gift:')
  expect(mails).toHaveLength(1)
  expect(mails[0]?.data.text).toContain(code)
  await mailEnvelopes(web)
  expect(await queuedMailsTo(web, recipientEmail, 'gift:')).toHaveLength(1)
  await balanced()
})

test('a booklet under review keeps the account until it is refunded: nobody has its code', async () => {
  const { person, user } = await sender()
  const [first, second] = [
    await orderGift(web, user.id, { amountUsd: 150 }),
    await orderGift(web, user.id, { amountUsd: 60 }),
  ]
  await deliver(web, first.paid())
  web.clock.advance(1000)
  await deliver(web, second.paid())
  expect(await unredeemedGifts(db, user.id)).toMatchObject([
    { state: 'in_review', amountMicroUsd: 60_000_000 },
    { state: 'ready', amountMicroUsd: 150_000_000 },
  ])
  const refused = await person.leave()
  expect(refused.statusCode).toBe(409)
  expect(refused.json().error.message).toMatch(/^A booklet you bought is under review/)
  const byOperator = {
    requestId: services.random.uuid(),
    paymentId: second.id,
    amountMicroUsd: null,
    reason: 'asked by mail',
    actor: 'test',
  }
  expect(await refundPayment(services, byOperator)).toMatchObject({ ok: true })
  expect((await person.leave()).statusCode).toBe(204)
  await balanced()
})
