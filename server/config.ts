import * as z from 'zod/mini'
import { microUsdPerUsd } from '#lib/rules/money.ts'
import { defaultFreeCallTerms } from '#lib/rules/pricing.ts'
import {
  centMicroUsd,
  type Environment,
  requiredInProduction,
  secureInProduction,
  together,
  variables,
} from './environment.ts'
import type { GoogleSettings } from './identity/google/open.ts'
import {
  type CallPolicy,
  defaultCallPolicy,
  defaultPaymentPolicy,
  type PaymentPolicy,
  type TierLimits,
} from './policy.ts'
import type { MediaAddress } from './telephony/exchange/media/media-address.ts'

/** Everything the environment decides. `docs/configuration.md` is the table of it. */
export interface Config {
  readonly production: boolean
  readonly port: number
  readonly host: string
  /** Where people reach us, without a trailing slash. */
  readonly publicUrl: string
  readonly dataDirectory: string
  /** The PostgreSQL that holds the books. Undefined: the embedded one, in the data directory. */
  readonly databaseUrl: string | undefined
  /** Connections to that PostgreSQL at once. */
  readonly databasePool: number
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** Signs tokens. Undefined: one is made once and kept in the data directory. */
  readonly tokenSecret: string | undefined
  /** How long a session's bearer token lives; the page renews it by itself. */
  readonly accessTokenSeconds: number
  /** How long a permission to call lives; in a call the page renews it by itself. */
  readonly voiceTokenSeconds: number
  /** Where the local exchange takes audio. */
  readonly exchangeAddress: MediaAddress
  /** How many proxies of ours stand in front and add to `X-Forwarded-For`; what came before them is not believed. */
  readonly trustedProxies: number
  /** The site where people may review us: an address, or a path of ours. Undefined: nobody is asked to. */
  readonly reviewUrl: string | undefined
  readonly policy: CallPolicy
  readonly paymentPolicy: PaymentPolicy
  /** The account that takes the cards. Undefined: the local checkout does, with test cards. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string } | undefined
  /** Who signs people in with Google. Undefined: a development issuer of our own, and in production nobody. */
  readonly google: GoogleSettings | undefined
  /** The telephone network. Undefined: the local exchange is it. */
  readonly twilio: TwilioSettings | undefined
  /** What several server processes share besides the database. Undefined: there is one process. */
  readonly redisUrl: string | undefined
  /** Where mails go. Undefined: to the local inbox. */
  readonly smtp: { readonly url: string; readonly from: string } | undefined
  /** Where traces go, an OpenTelemetry collector's address. Undefined: none are taken. */
  readonly tracesUrl: string | undefined
  /** What who reads the metrics has to show. Undefined: they are for this machine alone. */
  readonly metricsToken: string | undefined
}

/** An account at the voice vendor's. `docs/operating/twilio.md` says where each of these is found. */
export interface TwilioSettings {
  readonly accountSid: string
  /** Signs what the vendor tells us. */
  readonly authToken: string
  /** Signs the tokens of browsers, and asks the vendor's API. */
  readonly apiKey: string
  readonly apiSecret: string
  /** The TwiML application whose voice address is ours. */
  readonly appSid: string
  /** Our public number, E.164 with the plus: what is shown where a caller has no caller ID. */
  readonly publicNumber: string
  /** The vendor's API, without a trailing slash. */
  readonly apiUrl: string
}

/** The environment cannot be used. Each problem names its variable and says what to do. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Stands in for the review site where none is named, outside production. */
const localReviewPage = '/dev/review'

/**
 * Reads the environment, the only place that does. An empty value counts as missing.
 * @throws ConfigError naming every variable that is wrong or missing.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = z.safeParse(variables, given)
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
  if (given.NODE_ENV === 'production') {
    for (const [name, what] of Object.entries(requiredInProduction)) {
      if (given[name] === undefined) problems.push(`${name}: required in production (${what})`)
    }
  }
  const production = given.NODE_ENV === 'production'
  for (const [provider, names] of Object.entries(together)) {
    const missing = names.filter(name => given[name] === undefined)
    if (missing.length === names.length) continue
    for (const name of missing) {
      // Said above already where production cannot do without it.
      if (production && name in requiredInProduction) continue
      problems.push(`${name}: required beside the other variables of ${provider}'s`)
    }
  }
  for (const name of secureInProduction) {
    if (production && given[name]?.startsWith('http:')) {
      problems.push(`${name}: must be an https address in production`)
    }
  }
  for (const [name, value] of Object.entries(promisedByPages)) {
    if (production && Number(given[name] ?? value) !== value) {
      problems.push(
        `${name}: the pages, the terms and /rates.json promise ${value}. Change defaultFreeCallTerms in src/lib/rules/pricing.ts, of which they and the server are made, build again, and leave this out`,
      )
    }
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)

  const env = parsed.data
  return {
    production,
    port: env.PORT,
    host: env.HOST,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    dataDirectory: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databasePool: env.DATABASE_POOL,
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    tokenSecret: env.TOKEN_SECRET,
    accessTokenSeconds: env.ACCESS_TOKEN_SECONDS,
    voiceTokenSeconds: env.VOICE_TOKEN_SECONDS,
    exchangeAddress: {
      advertised: env.EXCHANGE_ADDRESS,
      bound: env.EXCHANGE_BIND_ADDRESS ?? env.EXCHANGE_ADDRESS,
      ports: env.EXCHANGE_PORTS,
    },
    trustedProxies: env.TRUSTED_PROXIES,
    reviewUrl: env.REVIEW_URL ?? (production ? undefined : localReviewPage),
    policy: callPolicyOf(env),
    // The amount above which a review waits is said on pages that are built, and so is no variable.
    paymentPolicy: {
      ...defaultPaymentPolicy,
      checkoutsPerHour: env.CHECKOUTS_PER_HOUR,
      referral: {
        rewardMicroUsd: env.REFERRAL_REWARD_USD * microUsdPerUsd,
        leastMicroUsd: env.REFERRAL_LEAST_PAYMENT_USD * microUsdPerUsd,
      },
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
    redisUrl: env.REDIS_URL,
    smtp: env.SMTP_URL === undefined ? undefined : { url: env.SMTP_URL, from: env.MAIL_FROM },
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, ''),
    metricsToken: env.METRICS_TOKEN,
  }
}

function twilioOf(env: Environment): TwilioSettings | undefined {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_APP_SID: appSid } = env
  const { TWILIO_API_KEY: apiKey, TWILIO_API_SECRET: apiSecret, TWILIO_NUMBER: publicNumber } = env
  if (accountSid === undefined || authToken === undefined || appSid === undefined) return undefined
  if (apiKey === undefined || apiSecret === undefined || publicNumber === undefined) return undefined
  const apiUrl = env.TWILIO_API_URL.replace(/\/+$/, '')
  return { accountSid, authToken, apiKey, apiSecret, appSid, publicNumber, apiUrl }
}

/** What is built into the site: a server of production keeps to it. */
const promisedByPages = {
  FREE_CALL_WORTH_USD_CENTS: defaultFreeCallTerms.worthMicroUsd / centMicroUsd,
  FREE_CALL_MINUTES: defaultFreeCallTerms.longestMinutes,
} as const

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
    freeCall: {
      worthMicroUsd: env.FREE_CALL_WORTH_USD_CENTS * centMicroUsd,
      longestMinutes: env.FREE_CALL_MINUTES,
    },
    tiers: { never_paid: limitsOf(0), newly_paid: limitsOf(1), established: limitsOf(2) },
    established: {
      afterDays: env.ESTABLISHED_AFTER_DAYS,
      paidMicroUsd: env.ESTABLISHED_FROM_USD * microUsdPerUsd,
    },
    freeCallsPerMonth: env.FREE_CALLS_PER_MONTH,
    testCall: defaultCallPolicy.testCall,
    breaker: {
      fromRateMicroUsd: env.BREAKER_RATE_USD_CENTS * centMicroUsd,
      accounts: env.BREAKER_ACCOUNTS,
      windowSeconds: env.BREAKER_WINDOW_SECONDS,
      pauseSeconds: env.BREAKER_PAUSE_SECONDS,
    },
    verificationCallsPerDay: env.VERIFICATION_CALLS_PER_DAY,
    verificationGapSeconds: env.VERIFICATION_GAP_SECONDS,
    callRecordsDays: env.CALL_RECORDS_DAYS,
    credit: {
      automaticMost: env.CALL_CREDITS_PER_MONTH,
      claimsMost: env.CALL_CLAIMS_PER_MONTH,
      onWordMostMicroUsd: env.CALL_CREDIT_USD_CENTS * centMicroUsd,
    },
  }
}
