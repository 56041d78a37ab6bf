import * as z from 'zod/mini'
import { developmentProblems } from './config/development-rules.ts'
import {
  centMicroUsd,
  type Environment,
  requiredInProduction,
  together,
  variables,
} from './config/environment.ts'
import {
  type CallPolicy,
  defaultCallPolicy,
  defaultPaymentPolicy,
  type PaymentPolicy,
  type TierLimits,
} from './config/policy.ts'
import { productionProblems, productionRisks, type Risk } from './config/production-rules.ts'
import type { GoogleSettings } from './identity/google/open.ts'
import { createBudgets } from './limits/budget-policy.ts'
import type { MediaAddress } from './telephony/exchange/media/media-address.ts'
import type { UnnamedAddress } from './telephony/exchange/media/own-address.ts'

/** The whole configuration. `docs/configuration.md` documents it. */
export interface Config {
  readonly production: boolean
  readonly acceptedRisks: readonly Risk[]
  readonly port: number
  readonly host: string
  /** Whether the local stand-ins answer other machines too. Never true in production, which has no stand-ins. */
  readonly exposeStandIns: boolean
  /** Public address of the site, without a trailing slash. */
  readonly publicUrl: string
  /** Whether `publicUrl` follows from the port, since none was given. The pages are built once for all ports. */
  readonly publicUrlFromPort: boolean
  readonly dataDirectory: string
  /** Undefined: the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined
  readonly databasePool: number
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** Signs tokens. Undefined: generated once and kept in the data directory. */
  readonly tokenSecret: string | undefined
  /** Lifetime of a session's bearer token; the page renews it automatically. */
  readonly accessTokenSeconds: number
  /** Lifetime of a voice token; the page renews it automatically during a call. */
  readonly voiceTokenSeconds: number
  readonly exchangeAddress: MediaAddress | UnnamedAddress
  /** Number of our own proxies that append to `X-Forwarded-For`; earlier entries are not trusted. */
  readonly trustedProxies: number
  /** Review site: a URL or a path on ours. Undefined: no review is requested. */
  readonly reviewUrl: string | undefined
  readonly policy: CallPolicy
  readonly paymentPolicy: PaymentPolicy
  /** Undefined: the local checkout, with test cards. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string } | undefined
  /** Undefined: our development issuer; in production, no sign-in with Google. */
  readonly google: GoogleSettings | undefined
  /** Undefined without Twilio. */
  readonly twilio: TwilioSettings | undefined
  /** File of the edges and carriers. Undefined without trunks. Without either, the local exchange carries the calls. */
  readonly trunkFile: string | undefined
  /** Redis, shared by several server processes. Undefined: there is one process. */
  readonly redisUrl: string | undefined
  /** Undefined: e-mail goes to the local inbox. */
  readonly smtp: { readonly url: string; readonly from: string } | undefined
  /** Address of an OpenTelemetry collector. Undefined: no traces. */
  readonly tracesUrl: string | undefined
  /** Bearer token for reading the metrics. Undefined: only this machine may read them. */
  readonly metricsToken: string | undefined
}

/** A Twilio account. `docs/operating/twilio.md` says where to find each value. */
export interface TwilioSettings {
  readonly accountSid: string
  /** Signs Twilio's webhooks. */
  readonly authToken: string
  /** Signs browsers' tokens and authenticates our API requests. */
  readonly apiKey: string
  readonly apiSecret: string
  /** The TwiML application whose voice URL is ours. */
  readonly appSid: string
  /** Our public number, E.164 with the plus: shown when the user has no caller ID. */
  readonly publicNumber: string
  /** A second public number, in the European Economic Area: calls within the EEA cost less with it. */
  readonly eeaNumber: string | undefined
  /** Base URL of Twilio's API, without a trailing slash. */
  readonly apiUrl: string
}

/** The environment is invalid. Each problem names its variable and says what to do. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Review page outside production when none is configured. */
const localReviewPage = '/dev/review'

export interface ReadEnvironment {
  /** Variables that cannot be parsed count as missing. */
  readonly config: Config
  /** A sentence for each wrong or missing variable, beginning with its name. Empty: the configuration is valid. */
  readonly problems: readonly string[]
  readonly known: ReadonlySet<string>
}

/** @throws ConfigError naming every variable that is wrong or missing */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { config, problems } = readEnvironment(environment)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** The only place that reads the environment. An empty value counts as missing. */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): ReadEnvironment {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = z.safeParse(variables, given)
  const problems = parsed.success ? [] : parsed.error.issues.map(problemOf)
  const production = given.NODE_ENV === 'production'
  problems.push(...(production ? productionProblems(given) : developmentProblems(given)))
  for (const [provider, names] of Object.entries(together)) {
    const missing = names.filter(name => given[name] === undefined)
    if (missing.length === names.length) continue
    for (const name of missing) {
      // Already reported above if production requires it.
      if (production && name in requiredInProduction(given.TELEPHONY)) continue
      problems.push(`${name}: required together with the other variables of ${provider}`)
    }
  }
  problems.push(...telephonyProblems(given))
  const risks = production ? productionRisks(given) : []
  const accepted = given.ACCEPTED_RISKS?.split(',') ?? []
  for (const { name, variable, says } of risks) {
    const isWrongAnyway = problems.some(problem => problem.startsWith(`${variable}:`))
    if (isWrongAnyway || accepted.includes(name)) continue
    problems.push(`${variable}: ${says}. Or accept it: ACCEPTED_RISKS=${[...accepted, name].join(',')}`)
  }

  const wrong = new Set(parsed.success ? [] : parsed.error.issues.map(issue => String(issue.path[0])))
  const sound = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)))
  const env = parsed.success ? parsed.data : z.parse(variables, sound)
  const known = new Set(Object.keys(sound))
  return { config: configOf(env, production, risks), problems, known }
}

/** What the chosen network lacks. Production misses Twilio's variables by itself. */
function telephonyProblems(given: Readonly<Record<string, string | undefined>>): string[] {
  if (given.TELEPHONY === 'trunk' && given.TRUNK_FILE === undefined)
    return ['TRUNK_FILE: required with TELEPHONY=trunk: the file that names edges and carriers']
  const without = together.Twilio.every(name => given[name] === undefined)
  if (given.TELEPHONY === 'twilio' && given.NODE_ENV !== 'production' && without)
    return ["TELEPHONY: twilio needs Twilio's variables"]
  return []
}

/** A problem of a field within a variable begins with the variable, too. */
function problemOf({ path: [variable, ...field], message }: z.core.$ZodIssue): string {
  return `${String(variable)}: ${field.length === 0 ? '' : `${field.join('.')} `}${message}`
}

function configOf(env: Environment, production: boolean, risks: readonly Risk[]): Config {
  const { POLICY_OVERRIDES: overrides } = env
  return {
    production,
    acceptedRisks: risks,
    port: env.PORT,
    host: env.HOST,
    exposeStandIns: !production && env.DANGEROUSLY_EXPOSE_STAND_INS === 'yes',
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    publicUrlFromPort: env.PUBLIC_URL === undefined,
    dataDirectory: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databasePool: env.DATABASE_POOL,
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    tokenSecret: env.TOKEN_SECRET,
    accessTokenSeconds: overrides.accessTokenSeconds,
    voiceTokenSeconds: overrides.voiceTokenSeconds,
    exchangeAddress: exchangeAddressOf(env),
    trustedProxies: env.TRUSTED_PROXIES,
    reviewUrl: env.REVIEW_URL ?? (production ? undefined : localReviewPage),
    policy: callPolicyOf(env),
    paymentPolicy: {
      ...defaultPaymentPolicy,
      checkoutsPerHour: overrides.checkoutsPerHour,
      accountsPerCard: overrides.accountsPerCard,
      referral: { ...defaultPaymentPolicy.referral, ...overrides.referral },
    },
    stripe:
      env.STRIPE_SECRET_KEY === undefined || env.STRIPE_WEBHOOK_SECRET === undefined
        ? undefined
        : { secretKey: env.STRIPE_SECRET_KEY, webhookSecret: env.STRIPE_WEBHOOK_SECRET },
    google:
      env.GOOGLE_CLIENT_ID === undefined || env.GOOGLE_CLIENT_SECRET === undefined
        ? undefined
        : {
            issuer: env.GOOGLE_ISSUER,
            clientId: env.GOOGLE_CLIENT_ID,
            clientSecret: env.GOOGLE_CLIENT_SECRET,
          },
    twilio: twilioOf(env),
    trunkFile: env.TELEPHONY === 'trunk' ? env.TRUNK_FILE : undefined,
    redisUrl: env.REDIS_URL,
    smtp: env.SMTP_URL === undefined ? undefined : { url: env.SMTP_URL, from: env.MAIL_FROM },
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, ''),
    metricsToken: env.METRICS_TOKEN,
  }
}

function exchangeAddressOf(env: Environment): MediaAddress | UnnamedAddress {
  const {
    EXCHANGE_ADDRESS: advertised,
    EXCHANGE_BIND_ADDRESS: bound = advertised,
    EXCHANGE_PORTS: ports,
  } = env
  return bound === undefined ? { bound, ports } : { bound, advertised: advertised ?? bound, ports }
}

function twilioOf(env: Environment): TwilioSettings | undefined {
  if (env.TELEPHONY !== undefined && env.TELEPHONY !== 'twilio') return undefined
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_APP_SID: appSid } = env
  const { TWILIO_API_KEY: apiKey, TWILIO_API_SECRET: apiSecret, TWILIO_NUMBER: publicNumber } = env
  const { TWILIO_EEA_NUMBER: eeaNumber } = env
  if (accountSid === undefined || authToken === undefined || appSid === undefined) return undefined
  if (apiKey === undefined || apiSecret === undefined || publicNumber === undefined) return undefined
  const apiUrl = env.TWILIO_API_URL.replace(/\/+$/, '')
  return { accountSid, authToken, apiKey, apiSecret, appSid, publicNumber, eeaNumber, apiUrl }
}

function callPolicyOf(env: Environment): CallPolicy {
  const limitsOf = (index: number): TierLimits => ({
    attemptsPerHour: env.CALL_ATTEMPTS_PER_HOUR[index] ?? 1,
    answeredPerHour: env.ANSWERED_CALLS_PER_HOUR[index] ?? 1,
    answeredPerDay: env.ANSWERED_CALLS_PER_DAY[index] ?? 1,
    concurrentCalls: env.CONCURRENT_CALLS[index] ?? 1,
    longestCallMinutes: env.LONGEST_CALL_MINUTES[index] ?? 1,
    highestRateMicroUsd: (env.HIGHEST_RATE_USD_CENTS[index] ?? 1) * centMicroUsd,
  })
  return {
    ...defaultCallPolicy,
    tiers: { never_paid: limitsOf(0), newly_paid: limitsOf(1), established: limitsOf(2) },
    budgets: createBudgets({
      freeCallsPerMonth: env.FREE_CALLS_PER_MONTH,
      verificationCallsPerDay: env.VERIFICATION_CALLS_PER_DAY,
    }),
    breaker: {
      ...defaultCallPolicy.breaker,
      fromRateMicroUsd: env.BREAKER_RATE_USD_CENTS * centMicroUsd,
      accounts: env.BREAKER_ACCOUNTS,
    },
    credit: { ...defaultCallPolicy.credit, ...env.POLICY_OVERRIDES.credit },
  }
}
