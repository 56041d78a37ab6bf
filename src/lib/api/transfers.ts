import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Purpose of a transfer. Refunds and disputes belong to payments and may be reversed. */
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
  'gift',
  'gift_received',
  'adjustment',
])
export type TransferKind = z.output<typeof transferKind>

/** `open`: can be requested; `pending`: requested, in progress; `none`: cannot be requested here. */
export const refundState = z.enum(['none', 'open', 'pending', 'refunded'])
export type RefundState = z.output<typeof refundState>

/** One change of the user's balance. Money in USD, exact to the micro-dollar; times in ISO 8601, UTC. */
export const transferRecord = z.object({
  id: z.string(),
  kind: transferKind,
  description: z.string(),
  /** USD. Positive: credited to the balance. */
  amount: z.number(),
  balance: z.number(),
  at: z.string(),
  /** The related call. `to` is E.164 with the plus. */
  call: z.nullable(z.object({ id: z.string(), to: z.string() })),
  payment: z.nullable(z.object({ id: z.string(), receipt: z.nullable(z.string()), refund: refundState })),
})
export type TransferRecord = z.output<typeof transferRecord>

export const maxTransfersPerPage = 500

/** This user's transfers, newest first, 25 by default. `nextCursor` is null on the last page. */
export const transfers = endpoint({
  method: 'GET',
  path: '/api/transfers',
  auth: 'bearer',
  query: z.object({
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(maxTransfersPerPage))),
  }),
  status: 200,
  reply: z.object({ transfers: z.array(transferRecord), nextCursor: z.nullable(z.string()) }),
  errors: {},
})
