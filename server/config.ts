import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { leastUsd, mostUsd } from '#lib/rules/credits.ts'
import { microUsdPerUsd } from '#lib/rules/money.ts'
import { defaultFreeCallTerms } from '#lib/rules/pricing.ts'
import { defaultPoolSize } from './db/postgres-pool.ts'
import { defaultAccessTokenSeconds } from './identity/access-token.ts'
import type { GoogleSettings } from './identity/google/open.ts'
import {
  type CallPolicy,
  defaultCallPolicy,
  defaultPaymentPolicy,
  type PaymentPolicy,
  type TierLimits,
  tiers,
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

/** Ten minutes: long enough for a prompt and a slow line, and a call in progress renews it. */
const defaultVoiceTokenSeconds = 600

/** Stands in for the review site where none is named, outside production. */
const localReviewPage = '/dev/review'

const wholeNumberText = (least: number, most: number) => `must be a whole number from ${least} to ${most}`
const wholeNumber = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d+$/, wholeNumberText(least, most))),
    z.pipe(
      z.transform(Number),
      z.number().check(z.gte(least, wholeNumberText(least, most)), z.lte(most, wholeNumberText(least, most))),
    ),
  )

/** One limit for each tier, as `20,40,60`; a single number stands for all of them. */
const forTiers = (most: number, defaults: readonly number[]) => {
  const text = `must be a whole number from 1 to ${most}, or one for each tier, such as ${defaults.join(',')}`
  return z._default(
    z.pipe(
      z.string().check(z.regex(/^\d+(,\d+,\d+)?$/, text)),
      z.pipe(
        z.transform((given: string) => {
          const numbers = given.split(',').map(Number)
          return numbers.length === 1 ? tiers.map(() => numbers[0] ?? 0) : numbers
        }),
        z
          .array(z.number())
          .check(z.refine(numbers => numbers.every(number => number >= 1 && number <= most), text)),
      ),
    ),
    [...defaults],
  )
}
const limitDefaults = (limit: keyof TierLimits) => tiers.map(tier => defaultCallPolicy.tiers[tier][limit])
const centMicroUsd = 10_000

const ipAddress = z.string().check(z.refine(text => isIP(text) !== 0, 'must be an IP address'))
const portRangeText = 'must be two ports from 1024 to 65535, the lower first, such as 20000-20100'
const portRange = z.pipe(
  z.string().check(z.regex(/^\d{4,5}-\d{4,5}$/, portRangeText)),
  z.pipe(
    z.transform((text: string) => text.split('-').map(Number)),
    z
      .tuple([z.number(), z.number()])
      .check(z.refine(([first, last]) => first >= 1024 && first < last && last <= 65_535, portRangeText)),
  ),
)

const variables = z.object({
  NODE_ENV: z._default(z.enum(['development', 'test', 'production']), 'development'),
  PORT: z._default(wholeNumber(1, 65_535), 4321),
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  PUBLIC_URL: z.optional(
    z.string().check(z.regex(/^https?:\/\/[^/?#\s]+\/?$/, 'must be an http or https address without a path')),
  ),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), 'var'),
  // The rest of it is read, and its faults are explained, by `db/postgres-address.ts`.
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'))),
  // A transaction holds one connection to its end: with fewer than two, one slow one stops everything.
  DATABASE_POOL: z._default(wholeNumber(2, 500), defaultPoolSize),
  REDIS_URL: z.optional(z.url({ protocol: /^rediss?$/, error: 'must start with redis://' })),
  LOG_LEVEL: z.optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
  TOKEN_SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  ACCESS_TOKEN_SECONDS: z._default(wholeNumber(10, 3600), defaultAccessTokenSeconds),
  // The voice client asks for a new one 10 s before the end: a shorter life would have it ask without a pause.
  VOICE_TOKEN_SECONDS: z._default(wholeNumber(15, 3600), defaultVoiceTokenSeconds),
  EXCHANGE_ADDRESS: z._default(ipAddress, '127.0.0.1'),
  EXCHANGE_BIND_ADDRESS: z.optional(ipAddress),
  EXCHANGE_PORTS: z.optional(portRange),
  STRIPE_SECRET_KEY: z.optional(
    z
      .string()
      .check(z.regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key, which starts with sk_ or rk_')),
  ),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^whsec_\S+$/, 'must start with whsec_'))),
  GOOGLE_CLIENT_ID: z.optional(z.string().check(z.regex(/^\S+$/, 'must not hold blanks'))),
  GOOGLE_CLIENT_SECRET: z.optional(z.string().check(z.regex(/^\S+$/, 'must not hold blanks'))),
  GOOGLE_ISSUER: z._default(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
    'https://accounts.google.com',
  ),
  TRUSTED_PROXIES: z._default(wholeNumber(0, 10), 0),
  REVIEW_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  FREE_CALL_WORTH_USD_CENTS: z._default(wholeNumber(0, 1000), defaultFreeCallTerms.worthMicroUsd / 10_000),
  FREE_CALL_MINUTES: z._default(wholeNumber(0, 60), defaultFreeCallTerms.longestMinutes),
  FREE_CALLS_PER_MONTH: z._default(wholeNumber(1, 1000), defaultCallPolicy.freeCallsPerMonth),
  CALL_ATTEMPTS_PER_HOUR: forTiers(10_000, limitDefaults('attemptsPerHour')),
  ANSWERED_CALLS_PER_HOUR: forTiers(10_000, limitDefaults('answeredPerHour')),
  ANSWERED_CALLS_PER_DAY: forTiers(100_000, limitDefaults('answeredPerDay')),
  CONCURRENT_CALLS: forTiers(10, limitDefaults('concurrentCalls')),
  LONGEST_CALL_MINUTES: forTiers(1440, limitDefaults('longestCallMinutes')),
  HIGHEST_RATE_USD_CENTS: forTiers(
    100_000,
    limitDefaults('highestRateMicroUsd').map(rate => rate / centMicroUsd),
  ),
  ESTABLISHED_AFTER_DAYS: z._default(wholeNumber(0, 365), defaultCallPolicy.established.afterDays),
  ESTABLISHED_FROM_USD: z._default(
    wholeNumber(0, 4000),
    defaultCallPolicy.established.paidMicroUsd / microUsdPerUsd,
  ),
  BREAKER_RATE_USD_CENTS: z._default(
    wholeNumber(1, 100_000),
    defaultCallPolicy.breaker.fromRateMicroUsd / centMicroUsd,
  ),
  BREAKER_ACCOUNTS: z._default(wholeNumber(2, 100_000), defaultCallPolicy.breaker.accounts),
  BREAKER_WINDOW_SECONDS: z._default(wholeNumber(1, 86_400), defaultCallPolicy.breaker.windowSeconds),
  BREAKER_PAUSE_SECONDS: z._default(wholeNumber(1, 86_400), defaultCallPolicy.breaker.pauseSeconds),
  VERIFICATION_CALLS_PER_DAY: z._default(wholeNumber(1, 100), defaultCallPolicy.verificationCallsPerDay),
  VERIFICATION_GAP_SECONDS: z._default(wholeNumber(0, 3600), defaultCallPolicy.verificationGapSeconds),
  CALL_RECORDS_DAYS: z._default(wholeNumber(31, 3650), defaultCallPolicy.callRecordsDays),
  CHECKOUTS_PER_HOUR: z._default(wholeNumber(1, 1000), defaultPaymentPolicy.checkoutsPerHour),
  REFERRAL_REWARD_USD: z._default(
    wholeNumber(1, 1000),
    defaultPaymentPolicy.referral.rewardMicroUsd / microUsdPerUsd,
  ),
  REFERRAL_LEAST_PAYMENT_USD: z._default(
    wholeNumber(leastUsd, mostUsd),
    defaultPaymentPolicy.referral.leastMicroUsd / microUsdPerUsd,
  ),
})

/** Every variable that is read, for the documentation's test. */
export const variableNames: readonly string[] = Object.keys(variables.def.shape)

/**
 * What production cannot do without, and why. The local stand-ins (embedded database, local exchange,
 * local inbox, local checkout) exist only outside it.
 */
const requiredInProduction = {
  PUBLIC_URL: 'the https address people use',
  TOKEN_SECRET: 'at least 32 random characters that sign the tokens',
  DATABASE_URL: 'the PostgreSQL database',
  TWILIO_ACCOUNT_SID: 'the voice provider',
  SMTP_URL: 'the mail server',
  STRIPE_SECRET_KEY: 'the account that takes the cards',
  STRIPE_WEBHOOK_SECRET: 'verifies what that account tells',
} as const

/** Neither is of use without the other. */
const stripeVariables = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const

/** Neither is of use without the other. */
const googleVariables = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const

/** Adapters of the providers that this version does not hold yet: said at start, not at the first call. */
const notInThisVersion = ['REDIS_URL', 'TWILIO_ACCOUNT_SID', 'SMTP_URL'] as const

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
  const [oneOfStripe, ...more] = stripeVariables.filter(name => given[name] === undefined)
  if (given.NODE_ENV !== 'production' && oneOfStripe !== undefined && more.length === 0) {
    problems.push(`${oneOfStripe}: required beside the other variable of Stripe's`)
  }
  const missingOfGoogle = googleVariables.filter(name => given[name] === undefined)
  if (missingOfGoogle.length === 1) {
    problems.push(`${missingOfGoogle[0]}: required beside the other variable of Google's`)
  }
  if (given.NODE_ENV === 'production' && given.GOOGLE_ISSUER?.startsWith('http:')) {
    problems.push('GOOGLE_ISSUER: must be an https address in production')
  }
  if (problems.length === 0) {
    for (const name of notInThisVersion) {
      if (given[name] !== undefined) {
        problems.push(`${name}: this version has no adapter for it yet; unset it`)
      }
    }
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)

  const env = parsed.data
  const production = env.NODE_ENV === 'production'
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
  }
}

function callPolicyOf(env: z.infer<typeof variables>): CallPolicy {
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
    breaker: {
      fromRateMicroUsd: env.BREAKER_RATE_USD_CENTS * centMicroUsd,
      accounts: env.BREAKER_ACCOUNTS,
      windowSeconds: env.BREAKER_WINDOW_SECONDS,
      pauseSeconds: env.BREAKER_PAUSE_SECONDS,
    },
    verificationCallsPerDay: env.VERIFICATION_CALLS_PER_DAY,
    verificationGapSeconds: env.VERIFICATION_GAP_SECONDS,
    callRecordsDays: env.CALL_RECORDS_DAYS,
  }
}
