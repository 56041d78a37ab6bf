import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * How a call ended. `limit`: the time that the balance or the free call covered was used up. `connection_lost`: no more
 * sound from the caller's side. `interrupted`: a fault of ours, settled afterwards.
 */
export const callOutcome = z.enum([
  'completed',
  'limit',
  'no_answer',
  'busy',
  'declined',
  'cancelled',
  'invalid_number',
  'failed',
  'connection_lost',
  'interrupted',
])
export type CallOutcome = z.output<typeof callOutcome>

export const callCap = z.enum(['call', 'month'])
export type CallCap = z.output<typeof callCap>

/** Ends a call before its credits do: the user's cap, a new customer's spending cap, or the max call length. */
export const callBound = z.enum([...callCap.options, 'new_customer', 'longest'])
export type CallBound = z.output<typeof callBound>

export type CallPurpose = 'call' | 'test'

/** One entry of the call history. Money in USD, exact to the micro-dollar; times in ISO 8601, UTC. */
export const callRecord = z.object({
  id: z.string(),
  to: z.string(),
  isoCode: z.string(),
  state: z.enum(['placed', 'ringing', 'answered', 'ended']),
  placedAt: z.string(),
  answeredAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  /** Whole seconds talked, rounded up; 0 if never answered. */
  seconds: z.number(),
  ratePerMinute: z.number(),
  /** The caller ID's share of `ratePerMinute`; omitted if zero. */
  surcharge: z.optional(z.number()),
  minutesCharged: z.number(),
  cost: z.number(),
  free: z.boolean(),
  outcome: z.nullable(callOutcome),
  /** Refunded for a bad call, at most `cost`; omitted if nothing was. */
  credited: z.optional(z.number()),
  /** What ended the call before its credits did; omitted otherwise. */
  cap: z.optional(callBound),
  /** The min of credits, caps, our limits and the free call; grows with the credits. Omitted after the end. */
  limitMinutes: z.optional(z.number()),
  purpose: z.optional(z.literal('test')),
})
export type CallRecord = z.output<typeof callRecord>

/** The ten outcomes, grouped for users (`src/lib/calls/call-filter.ts`). */
export const callGroup = z.enum(['talked', 'no_answer', 'busy', 'cut_off', 'failed'])
export type CallGroup = z.output<typeof callGroup>

/** Within this century, plus a day for time zones. */
export const instant = z.string().check(z.iso.datetime(), z.regex(/^(1999|20\d\d|2100)-/))

/** Every omitted field matches all calls. */
const callFilter = {
  /** Placed at this moment or later, usually the start of the reader's day. ISO 8601, UTC. */
  from: z.optional(instant),
  to: z.optional(instant),
  /** Part of the number in any format, or of a contact's name. */
  who: z.optional(z.string().check(z.maxLength(100))),
  outcome: z.optional(callGroup),
}

export const maxCallsPerPage = 500

const cursor = z.optional(z.string().check(z.maxLength(200)))
const callsPage = z.object({ calls: z.array(callRecord), nextCursor: z.nullable(z.string()) })

/** Newest first, 25 by default. `nextCursor` is null on the last page. */
export const calls = endpoint({
  method: 'GET',
  path: '/api/calls',
  auth: 'bearer',
  query: z.object({
    cursor,
    limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(maxCallsPerPage))),
  }),
  status: 200,
  reply: callsPage,
  errors: {},
})

/** Calls that match a filter, paged like `calls`. POST, so that no number appears in a URL. */
export const searchCalls = endpoint({
  method: 'POST',
  path: '/api/calls/search',
  auth: 'bearer',
  body: z.object({
    ...callFilter,
    cursor,
    limit: z.optional(z.number().check(z.int(), z.gte(1), z.lte(maxCallsPerPage))),
  }),
  status: 200,
  reply: callsPage,
  errors: {},
})

export const callTotals = endpoint({
  method: 'POST',
  path: '/api/calls/totals',
  auth: 'bearer',
  body: z.object(callFilter),
  status: 200,
  reply: z.object({
    calls: z.number(),
    /** Started minutes, free ones included. */
    minutes: z.number(),
    minutesCharged: z.number(),
    /** Charged minus `refunded`. USD, exact to the micro-dollar. */
    spent: z.number(),
    /** Refunded for bad calls, whenever that was. USD. */
    refunded: z.number(),
  }),
  errors: {},
})
export type CallTotals = z.output<typeof callTotals.reply>

/** One call of this user; a page requests it when it missed the end of a call. */
export const call = endpoint({
  method: 'GET',
  path: '/api/calls/:id',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  status: 200,
  reply: callRecord,
  errors: {},
})

export const callReceipt = endpoint({
  method: 'GET',
  path: '/api/calls/:id/receipt',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  status: 200,
  reply: z.object({
    call: callRecord,
    email: z.string(),
    /** Oldest first. Positive: debited from the balance; negative: returned. USD. */
    charges: z.array(
      z.object({ reference: z.string(), description: z.string(), amount: z.number(), at: z.string() }),
    ),
    /** Worth of a free call and its ledger reference; null for other calls. */
    gift: z.nullable(z.object({ reference: z.string(), worth: z.number() })),
    /** Whether this free call was too short to count, and the free call is still there. */
    freeCallLeft: z.boolean(),
    /** Refund: automatic for a short or soundless call or one that our restart cut, or claimed. USD. */
    credit: z.nullable(
      z.object({ amount: z.number(), reason: z.enum(['short', 'no_sound', 'claim', 'restart']) }),
    ),
    /** What a claim would return, in USD, and until when; null if impossible. `usedUp`: none left in these 30 days. */
    claim: z.nullable(z.object({ amount: z.number(), until: z.string(), usedUp: z.boolean() })),
  }),
  errors: { not_ended: 409 },
})
export type CallReceipt = z.output<typeof callReceipt.reply>
