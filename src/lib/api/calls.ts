import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * How a call ended, in our words. `limit` is the time the balance (or the free call) covered;
 * `connection_lost` is a line that fell silent on the caller's side; `interrupted` is a fault of ours, settled
 * afterwards.
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

/** The caps that users set on what calls spend: on each, and on a month's. */
export const callCap = z.enum(['call', 'month'])
export type CallCap = z.output<typeof callCap>

/** What sets the end of a call before its credit does: a cap of the user's own, or the longest call that we allow. */
export const callBound = z.enum([...callCap.options, 'longest'])
export type CallBound = z.output<typeof callBound>

/** What a call is for. `test`: to the user's own number, to see what shows there. */
export type CallPurpose = 'call' | 'test'

/** One line of the call history. Money in USD, exact to the micro-dollar; times in ISO 8601, UTC. */
export const callRecord = z.object({
  id: z.string(),
  /** E.164 with the plus. */
  to: z.string(),
  isoCode: z.string(),
  state: z.enum(['placed', 'ringing', 'answered', 'ended']),
  placedAt: z.string(),
  answeredAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  /** Whole seconds talked, rounded up; 0 when never answered. */
  seconds: z.number(),
  ratePerMinute: z.number(),
  minutesCharged: z.number(),
  cost: z.number(),
  free: z.boolean(),
  outcome: z.nullable(callOutcome),
  /** What was given back because the call was bad, at most what it cost; left out of every other call. */
  credited: z.optional(z.number()),
  /** What ended it before its credit did; left out of every other call. */
  cap: z.optional(callBound),
  /**
   * Whole minutes after which it ends by itself: as long as credit, caps, our limits or a free call allow. Grows with the
   * credit. Left out once it has ended.
   */
  limitMinutes: z.optional(z.number()),
  /** Left out of every call but those to the user's own number. */
  purpose: z.optional(z.literal('test')),
})
export type CallRecord = z.output<typeof callRecord>

/** How a call ended, as callers tell them apart: a few groups for the ten outcomes (`rules/call-filter.ts`). */
export const callGroup = z.enum(['talked', 'no_answer', 'busy', 'cut_off', 'failed'])
export type CallGroup = z.output<typeof callGroup>

/** Of this century, wherever on Earth its days begin. */
const instant = z.string().check(z.iso.datetime(), z.regex(/^(1999|20\d\d|2100)-/))

/** Which calls; each field that is left out lets all through. */
const callFilter = {
  /** Placed at this moment or later: where the reader's own day begins. ISO 8601, UTC. */
  from: z.optional(instant),
  /** Placed before this moment. */
  to: z.optional(instant),
  /** A part of the number in any writing, or of a contact's name. */
  who: z.optional(z.string().check(z.maxLength(100))),
  outcome: z.optional(callGroup),
}

/** The most calls on one page. */
export const mostCalls = 500

/** Newest first, 25 at a time unless asked otherwise. `nextCursor` is null on the last page. */
export const calls = endpoint({
  method: 'GET',
  path: '/api/calls',
  auth: 'bearer',
  query: z.object({
    ...callFilter,
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(mostCalls))),
  }),
  status: 200,
  reply: z.object({ calls: z.array(callRecord), nextCursor: z.nullable(z.string()) }),
  errors: {},
})

/** What the calls of all pages come to, those that go on included. */
export const callTotals = endpoint({
  method: 'GET',
  path: '/api/calls/totals',
  auth: 'bearer',
  query: z.object(callFilter),
  status: 200,
  reply: z.object({
    calls: z.number(),
    /** Begun minutes talked, free ones included. */
    minutes: z.number(),
    minutesCharged: z.number(),
    /** USD, exact to the micro-dollar. */
    spent: z.number(),
  }),
  errors: {},
})
export type CallTotals = z.output<typeof callTotals.reply>

/** One call of this user's, whole: what a page asks for when a call ended without it hearing how. */
export const call = endpoint({
  method: 'GET',
  path: '/api/calls/:id',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  status: 200,
  reply: callRecord,
  errors: {},
})

/** One call with what it moved in the ledger, once it has ended. */
export const callReceipt = endpoint({
  method: 'GET',
  path: '/api/calls/:id/receipt',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  status: 200,
  reply: z.object({
    call: callRecord,
    /** Of the account. */
    email: z.string(),
    /** Oldest first. Above zero: taken from the balance; below: given back. USD. */
    charges: z.array(
      z.object({ reference: z.string(), words: z.string(), amount: z.number(), at: z.string() }),
    ),
    /** What a free call would have cost, and where our books say so; null for any other. */
    gift: z.nullable(z.object({ reference: z.string(), worth: z.number() })),
    /** What was given back because the call was bad: by itself, being short or without sound, or claimed. */
    credit: z.nullable(z.object({ amount: z.number(), reason: z.enum(['short', 'no_sound', 'claim']) })),
    /** What a claim would give back, and until when; null where there is none. `usedUp`: no more of them in these 30 days. */
    claim: z.nullable(z.object({ amount: z.number(), until: z.string(), usedUp: z.boolean() })),
  }),
  errors: { not_ended: 409 },
})
export type CallReceipt = z.output<typeof callReceipt.reply>
