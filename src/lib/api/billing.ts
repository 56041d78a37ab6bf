import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { transferRecord } from './transfers.ts'

/** What a reader of the billing history wants to see. `refunds`: to a card, and for bad calls; disputes too. */
export const billingFilter = z.enum(['all', 'purchases', 'calls', 'refunds'])
export type BillingFilter = z.output<typeof billingFilter>

/** A line of the billing history: one transfer, or all charges of one call. Money in USD; times in ISO 8601, UTC. */
export const billingLine = z.object({
  ...transferRecord.shape,
  /** Null in a filtered list, whose lines do not add up to it. */
  balance: z.nullable(z.number()),
  /** `minutes` charged so far; null for a refund. */
  call: z.nullable(
    z.object({ id: z.string(), to: z.string(), minutes: z.nullable(z.number()), live: z.boolean() }),
  ),
})
export type BillingLine = z.output<typeof billingLine>

export const maxLinesPerPage = 500

/** This user's billing history, newest first, 25 lines by default. `nextCursor` is null on the last page. */
export const billing = endpoint({
  method: 'GET',
  path: '/api/billing',
  auth: 'bearer',
  query: z.object({
    show: z.optional(billingFilter),
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(maxLinesPerPage))),
  }),
  status: 200,
  reply: z.object({ lines: z.array(billingLine), nextCursor: z.nullable(z.string()) }),
  errors: {},
})
