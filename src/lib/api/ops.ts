import * as z from 'zod/mini'
import type { CallGroup } from './calls.ts'
import { endpoint } from './endpoint.ts'

/**
 * Posted by the script behind an operator's link, so that link scanners do not use it up. Sets the operator's cookie
 * for 12 hours, but not longer than the session. `second_factor_required`, here and in all ops endpoints: the session
 * was not signed in with a second factor. The link stays valid then.
 */
export const operatorSignIn = endpoint({
  method: 'POST',
  path: '/api/ops/sign-in',
  auth: 'bearer',
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
  status: 204,
  reply: z.undefined(),
  errors: { link_expired: 410, second_factor_required: 403 },
})

export const operatorSignOut = endpoint({
  method: 'POST',
  path: '/api/ops/sign-out',
  auth: 'operator',
  status: 204,
  reply: z.undefined(),
  errors: { second_factor_required: 403 },
})

export const opsSpan = z.enum(['hour', 'day', 'week'])
export type OpsSpan = z.output<typeof opsSpan>

/** One UTC hour, or one minute if the span is an hour. Counts calls placed in it. Money in USD. */
export const opsInterval = z.object({
  /** Start, ISO 8601. */
  at: z.string(),
  /** Ended calls by call group; groups without calls are omitted. */
  calls: z.object({
    talked: z.optional(z.number()),
    no_answer: z.optional(z.number()),
    busy: z.optional(z.number()),
    cut_off: z.optional(z.number()),
    failed: z.optional(z.number()),
  } satisfies Record<CallGroup, unknown>),
  answered: z.number(),
  /** Mean seconds from answer to end; null without an answered call. */
  callSeconds: z.nullable(z.number()),
  setUpSeconds: z.nullable(z.number()),
  charged: z.number(),
  toppedUp: z.number(),
  /** Max delay in seconds with which a minute was charged; null if no process reported. */
  meterLagSeconds: z.nullable(z.number()),
  /** Max number of waiting jobs; null as above. */
  jobsDue: z.nullable(z.number()),
  webhookFailures: z.number(),
  providerErrors: z.number(),
})
export type OpsInterval = z.output<typeof opsInterval>

/** Runs from its first to its last sample, with gaps of up to five minutes; a more recent end is provisional. */
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
  /** `silent`: no sample for more than two minutes, and no clean stop. */
  state: z.enum(['running', 'silent', 'stopped']),
  calls: z.number(),
  sockets: z.number(),
})
export type OpsProcess = z.output<typeof opsProcess>

export const browserEngine = z.enum(['chromium', 'firefox', 'webkit', 'other'])
export type BrowserEngine = z.output<typeof browserEngine>

export const browserSystem = z.enum(['ios', 'android', 'windows', 'macos', 'linux', 'chromeos', 'other'])
export type BrowserSystem = z.output<typeof browserSystem>

/** Ended calls placed within the span from one kind of browser. */
export const opsBrowser = z.object({
  engine: browserEngine,
  system: browserSystem,
  /** Main versions; null where no call's browser said its own. */
  oldestVersion: z.nullable(z.number()),
  newestVersion: z.nullable(z.number()),
  calls: z.number(),
  answered: z.number(),
  /** Answered calls whose page measured the sound for at least 5 s. */
  measured: z.number(),
  /** Of these, calls without any sound from the callee. */
  silent: z.number(),
  /** Answered calls that lost their connection. */
  dropped: z.number(),
  /** From placing to the answer: the median and the 90th percentile; null without an answered call. */
  setUpSeconds: z.nullable(z.object({ median: z.number(), ninetieth: z.number() })),
})
export type OpsBrowser = z.output<typeof opsBrowser>

/** The server's health now and over the span. Any reply means that the database works. */
export const opsOverview = endpoint({
  method: 'GET',
  path: '/api/ops/overview',
  auth: 'operator',
  query: z.object({ span: opsSpan }),
  status: 200,
  reply: z.object({
    at: z.string(),
    operator: z.string(),
    processes: z.array(opsProcess),
    redis: z.enum(['not_configured', 'answers', 'away']),
    /** Providers that failed or answered unexpectedly within the span. */
    providers: z.array(
      z.object({ name: z.string(), errors: z.number(), lastOperation: z.string(), lastAt: z.string() }),
    ),
    liveCalls: z.object({ placed: z.number(), ringing: z.number(), answered: z.number() }),
    /** Seconds for which the oldest uncharged minute has been due. */
    meterDueSeconds: z.number(),
    jobs: z.object({
      due: z.number(),
      later: z.number(),
      oldestSeconds: z.number(),
      /** E-mails given up in the last 24 hours. */
      givenUp: z.number(),
    }),
    /** The last reconciliation; null before the first. */
    books: z.object({ comparedAt: z.nullable(z.string()), differences: z.nullable(z.number()) }),
    pausedPrefixes: z.number(),
    /** Daily budgets that are mostly used up; `used` 1 is all of it. */
    scarceBudgets: z.array(z.object({ kind: z.string(), used: z.number() })),
    lastHour: z.object({ webhookFailures: z.number(), providerErrors: z.number() }),
    /** Newest first, max 20, within the span. */
    incidents: z.array(opsIncident),
    /** Oldest first; the last interval is still running. */
    intervals: z.array(opsInterval),
    /** The most frequent first. Without calls from older versions and from programs that have no session. */
    browsers: z.array(opsBrowser),
  }),
  errors: { second_factor_required: 403 },
})
export type OpsOverview = z.output<typeof opsOverview.reply>
