import type { GiftRecord } from '#lib/api/gifts.ts'
import { deleteAccount } from '#server/accounts/deletion/delete-account.ts'
import type { UserRow } from '#server/identity/users.ts'
import { mailEnvelope } from '#server/payments/gifts/mail-envelope.ts'
import { openGiftCheckout } from '#server/payments/gifts/order-gift.ts'
import { redeemGift } from '#server/payments/gifts/redeem-gift.ts'
import { listSentGifts } from '#server/payments/gifts/sent-gifts.ts'
import type { World } from '#support/world.ts'
import { deliver, type Order, orderAt } from './buyer.ts'

export const letter = {
  amountUsd: 10,
  fromName: 'Ana',
  toName: 'Mum',
  message: 'Call me on Sunday.',
  recipientEmail: 'mum@example.org',
} as const

/** An address that is not this machine's, which has no limits. */
export const address = '203.0.113.7'

/** Opens the checkout of a booklet that must open. */
export async function orderGift(
  world: World,
  userId: string,
  part: Partial<Parameters<typeof openGiftCheckout>[2]> = {},
): Promise<Order> {
  const gift = { ...letter, ...part }
  const opened = await openGiftCheckout(world.services, userId, gift)
  if (!opened.ok) throw new Error(opened.code)
  return orderAt(opened.value.url, userId, gift.amountUsd)
}

export async function giftOf(world: World, userId: string, id: string): Promise<GiftRecord> {
  const found = (await listSentGifts(world.services, userId)).find(gift => gift.id === id)
  if (found === undefined) throw new Error('the booklet is not listed')
  return found
}

/** Buys a booklet. @returns its order and its code */
export async function buyGift(world: World, buyer: UserRow, part: Parameters<typeof orderGift>[2] = {}) {
  const one = await orderGift(world, buyer.id, part)
  await deliver(world, one.paid())
  const { code } = await giftOf(world, buyer.id, one.id)
  if (code === null) throw new Error('the booklet has no code')
  return { order: one, code }
}

export const redeem = (world: World, userId: string, code: string, from = address) =>
  redeemGift(world.services, userId, code, from)

export const deleteWithPassword = (world: World, userId: string, email: string) =>
  deleteAccount(
    world.services,
    userId,
    { confirm: email, password: 'correct horse battery' },
    { address: '127.0.0.1', sessionId: undefined },
  )

/** An hour later: the envelopes that are due are mailed, and stay in the queue for the test to look at. */
export async function mailEnvelopes({ db, clock, services }: World): Promise<void> {
  clock.advance(3_600_000)
  const due = await db.query<{ data: string }>(
    `delete from job where kind = 'gift_envelope' and run_at <= $1 returning data`,
    [clock.now()],
  )
  for (const { data } of due) await mailEnvelope(services, data)
}

/** Queued mails to an address whose key begins so. */
export async function mailsTo({ db }: World, to: string, key: string) {
  return db.query<{ data: { subject: string; text: string; html: string } }>(
    `select data from job where kind = 'mail' and key like $1 and data->>'to' = $2`,
    [`mail:${key}%`, to],
  )
}
