import * as z from 'zod/mini'
import { emailAddress } from '../account/account.ts'
import { cleanName } from '../account/names.ts'
import { hasLink, longestGiftMessage, longestGiftName, maxGiftUsd, minGiftUsd } from '../money/gifts.ts'
import { endpoint } from './endpoint.ts'
import { giftFaults } from './gift-texts.ts'

/** One clean line without links. */
const giftText = (max: number) =>
  z.string().check(
    z.maxLength(1000, { error: () => giftFaults.tooLong({ max }) }),
    z.overwrite(cleanName),
    z.refine(text => [...text].length <= max, { error: () => giftFaults.tooLong({ max }) }),
    z.refine(text => !hasLink(text), { error: () => giftFaults.link }),
  )
const giftName = giftText(longestGiftName).check(z.minLength(1, { error: () => giftFaults.name }))

/** Buys a booklet: credits for somebody else. Whole US dollars. */
export const buyGift = endpoint({
  method: 'POST',
  path: '/api/gifts',
  auth: 'bearer',
  body: z.object({
    amount: z.int().check(z.gte(minGiftUsd), z.lte(maxGiftUsd)),
    fromName: giftName,
    toName: giftName,
    /** May be empty. */
    message: giftText(longestGiftMessage),
    /** Null: the buyer passes the envelope on. */
    recipientEmail: z.nullable(emailAddress),
  }),
  status: 200,
  reply: z.object({ url: z.url() }),
  errors: {
    email_unverified: 403,
    call_blocked: 403,
    gift_limit: 429,
    too_many_checkouts: 429,
    payments_unavailable: 503,
  },
})

/**
 * `in_review`: paid, works after a review. `ready`: can be redeemed. `on_hold`: the buyer's
 * account is blocked, and the code doesn't work meanwhile. `refunding`: the money is on its way back.
 * `refunded`: it has gone back. `disputed`: the payment is contested, so the code does not work.
 */
export const giftState = z.enum([
  'in_review',
  'ready',
  'on_hold',
  'redeemed',
  'refunding',
  'refunded',
  'disputed',
])
export type GiftState = z.output<typeof giftState>

/** What deleting the account leaves behind. `amount` in USD. */
export const unredeemedGift = z.object({
  state: z.enum(['in_review', 'ready', 'on_hold']),
  /** Empty if not known. */
  toName: z.string(),
  amount: z.number(),
})
export type UnredeemedGift = z.output<typeof unredeemedGift>

/** A booklet that the user has bought. Money in USD; times in ISO 8601, UTC. */
export const giftRecord = z.object({
  /** Of its payment. */
  id: z.string(),
  state: giftState,
  amount: z.number(),
  fromName: z.string(),
  toName: z.string(),
  message: z.string(),
  recipientEmail: z.nullable(z.string()),
  /** Whether the envelope was mailed; null without an address, and before the booklet is ready. */
  mailed: z.nullable(z.boolean()),
  /** In groups; null unless the booklet is ready. */
  code: z.nullable(z.string()),
  paidAt: z.string(),
  redeemedAt: z.nullable(z.string()),
})
export type GiftRecord = z.output<typeof giftRecord>

/** The newest 100 paid booklets of the user. */
export const sentGifts = endpoint({
  method: 'GET',
  path: '/api/gifts',
  auth: 'bearer',
  status: 200,
  reply: z.object({ gifts: z.array(giftRecord) }),
  errors: {},
})

const code = z.object({ code: z.string().check(z.maxLength(60)) })

/** One answer for codes that are wrong, used, refunded or not yet released. */
const codeErrors = { unknown_code: 404, too_many_codes: 429 } as const

/** What a code is worth. A POST, so that the code is in no address. */
export const lookUpGift = endpoint({
  method: 'POST',
  path: '/api/gifts/look-up',
  auth: 'bearer',
  body: code,
  status: 200,
  reply: z.object({ amount: z.number(), fromName: z.string(), toName: z.string(), message: z.string() }),
  errors: codeErrors,
})

/** Puts a booklet's credits on the user's balance, once. Repeated by the same user, it answers the same. */
export const redeemGift = endpoint({
  method: 'POST',
  path: '/api/gifts/redeem',
  auth: 'bearer',
  body: code,
  status: 200,
  reply: z.object({ amount: z.number(), balance: z.number(), fromName: z.string() }),
  errors: { ...codeErrors, email_unverified: 403, call_blocked: 403, gift_limit: 429 },
})
