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
})
export type CallRecord = z.output<typeof callRecord>

/** Newest first, 25 at a time. `nextCursor` is null on the last page. */
export const calls = endpoint({
  method: 'GET',
  path: '/api/calls',
  auth: 'bearer',
  query: z.object({ cursor: z.optional(z.string().check(z.maxLength(200))) }),
  status: 200,
  reply: z.object({ calls: z.array(callRecord), nextCursor: z.nullable(z.string()) }),
  errors: {},
})

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
