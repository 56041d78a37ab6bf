import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What a transfer of credits is for. Refunds and disputes are of payments; each may be given back. */
export const transferKind = z.enum([
  'payment',
  'auto_topup',
  'bonus',
  'released',
  'call',
  'call_settled',
  'call_credit',
  'refund',
  'refund_failed',
  'dispute',
  'dispute_won',
  'referral',
  'adjustment',
])
export type TransferKind = z.output<typeof transferKind>

/**
 * How a refund of a payment stands: `open` may be asked for, `pending` was asked for and is on its way, `refunded` is
 * done, `none` cannot be asked for here.
 */
export const refundStanding = z.enum(['none', 'open', 'pending', 'refunded'])
export type RefundStanding = z.output<typeof refundStanding>

/** One movement on the user's balance. Money in USD, exact to the micro-dollar; times in ISO 8601, UTC. */
export const transferRecord = z.object({
  id: z.string(),
  kind: transferKind,
  /** In a few words, for a list. */
  words: z.string(),
  /** Above zero: credits that came. */
  amount: z.number(),
  /** What the balance was right after it. */
  balance: z.number(),
  at: z.string(),
  /** The call that it is for. `to` is E.164 with the plus. */
  call: z.nullable(z.object({ id: z.string(), to: z.string() })),
  payment: z.nullable(z.object({ id: z.string(), receipt: z.nullable(z.string()), refund: refundStanding })),
})
export type TransferRecord = z.output<typeof transferRecord>

/** The most transfers on one page. */
export const mostTransfers = 500

/** Every transfer of this user's balance, newest first, 25 at a time unless asked otherwise. `nextCursor` is null on the last page. */
export const transfers = endpoint({
  method: 'GET',
  path: '/api/transfers',
  auth: 'bearer',
  query: z.object({
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(mostTransfers))),
  }),
  status: 200,
  reply: z.object({ transfers: z.array(transferRecord), nextCursor: z.nullable(z.string()) }),
  errors: {},
})
