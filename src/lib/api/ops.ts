import * as z from 'zod/mini'
import type { CallGroup } from './calls.ts'
import { endpoint } from './endpoint.ts'

/**
 * Posted by the script of the page that an operator's link opens, so that who looks at links does not use it up. Sets the
 * operator's cookie, for 12 hours.
 */
export const operatorSignIn = endpoint({
  method: 'POST',
  path: '/api/ops/sign-in',
  auth: 'none',
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
  status: 204,
  reply: z.undefined(),
  errors: { link_expired: 410 },
})

/** Ends the operator's own session. */
export const operatorSignOut = endpoint({
  method: 'POST',
  path: '/api/ops/sign-out',
  auth: 'operator',
  status: 204,
  reply: z.undefined(),
  errors: {},
})

/** How far back: an hour, 24 hours, or 7 days. */
export const opsSpan = z.enum(['hour', 'day', 'week'])
export type OpsSpan = z.output<typeof opsSpan>

/** One hour of UTC; where the span is an hour, one minute of it. Counts are of calls that were placed in it. Money in USD. */
export const opsInterval = z.object({
  /** Its beginning, ISO 8601. */
  at: z.string(),
  /** Ended calls, in the groups that callers know; a group without calls is left out. */
  calls: z.object({
    talked: z.optional(z.number()),
    no_answer: z.optional(z.number()),
    busy: z.optional(z.number()),
    cut_off: z.optional(z.number()),
    failed: z.optional(z.number()),
  } satisfies Record<CallGroup, unknown>),
  answered: z.number(),
  /** Seconds from answer to end, on average; null without an answered call. */
  callSeconds: z.nullable(z.number()),
  /** Seconds from placing a call to its answer, on average. */
  setUpSeconds: z.nullable(z.number()),
  /** What the calls came to. */
  charged: z.number(),
  toppedUp: z.number(),
  /** The latest that a minute was charged, in seconds; null where no process said anything. */
  meterLagSeconds: z.nullable(z.number()),
  /** The most jobs that waited; null as above. */
  jobsDue: z.nullable(z.number()),
  webhookFailures: z.number(),
  providerErrors: z.number(),
})
export type OpsInterval = z.output<typeof opsInterval>

/**
 * What went on too long, or came too often, as the processes' samples tell it minute by minute: from the first to the last of
 * them, a lull of five minutes within it included. An end that is not five minutes ago may not be one.
 */
export const opsIncident = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('meter_late'), from: z.string(), to: z.string(), worstSeconds: z.number() }),
  z.object({ kind: z.literal('webhooks_refused'), from: z.string(), to: z.string(), failures: z.number() }),
  z.object({
    kind: z.literal('provider_errors'),
    from: z.string(),
    to: z.string(),
    provider: z.string(),
    errors: z.number(),
  }),
])
export type OpsIncident = z.output<typeof opsIncident>

export const opsProcess = z.object({
  id: z.string(),
  version: z.string(),
  startedAt: z.string(),
  seenAt: z.string(),
  /** `silent`: it has not written for more than two minutes, and did not say that it stops. */
  state: z.enum(['running', 'silent', 'stopped']),
  calls: z.number(),
  sockets: z.number(),
})
export type OpsProcess = z.output<typeof opsProcess>

/** How the server fares, and how the time before went. An answer at all says that the database answers. */
export const opsOverview = endpoint({
  method: 'GET',
  path: '/api/ops/overview',
  auth: 'operator',
  query: z.object({ span: opsSpan }),
  status: 200,
  reply: z.object({
    /** The server's time of it. */
    at: z.string(),
    /** Whose session it is. */
    operator: z.string(),
    processes: z.array(opsProcess),
    /** As the process that answers sees it. */
    redis: z.enum(['not_configured', 'answers', 'away']),
    /** Whoever did not answer, or not as promised, within the span. */
    providers: z.array(
      z.object({ name: z.string(), errors: z.number(), lastOperation: z.string(), lastAt: z.string() }),
    ),
    liveCalls: z.object({ placed: z.number(), ringing: z.number(), answered: z.number() }),
    /** How long the minute has been due that waits longest, in seconds. */
    meterDueSeconds: z.number(),
    jobs: z.object({
      due: z.number(),
      later: z.number(),
      oldestSeconds: z.number(),
      /** Mails, in the last 24 hours. */
      givenUp: z.number(),
    }),
    /** The last comparison of the books; null before the first. */
    books: z.object({ comparedAt: z.nullable(z.string()), differences: z.nullable(z.number()) }),
    /** To which calls pause. */
    pausedPrefixes: z.number(),
    /** Of the last 60 minutes, whatever the span. */
    lastHour: z.object({ webhookFailures: z.number(), providerErrors: z.number() }),
    /** Within the span, the latest first, at most 20. */
    incidents: z.array(opsIncident),
    /** Oldest first; the last one is not over yet. */
    intervals: z.array(opsInterval),
  }),
  errors: {},
})
export type OpsOverview = z.output<typeof opsOverview.reply>
