import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { company } from '#lib/company.ts'
import { defaultPoolSize } from '../db/postgres-pool.ts'
import { defaultBudgetSettings } from '../limits/budget-policy.ts'
import { defaultCallPolicy, type TierLimits, tiers } from './policy.ts'
import { policyOverrides } from './policy-overrides.ts'

const wholeNumberText = (min: number, max: number) => `must be a whole number from ${min} to ${max}`
const wholeNumber = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d+$/, wholeNumberText(min, max))),
    z.pipe(
      z.transform(Number),
      z.number().check(z.gte(min, wholeNumberText(min, max)), z.lte(max, wholeNumberText(min, max))),
    ),
  )

/** One limit per tier, such as `20,40,60`; a single number applies to all tiers. */
const forTiers = (max: number, defaults: readonly number[]) => {
  const text = `must be a whole number from 1 to ${max}, or one for each tier, such as ${defaults.join(',')}`
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
          .check(z.refine(numbers => numbers.every(number => number >= 1 && number <= max), text)),
      ),
    ),
    [...defaults],
  )
}
const limitDefaults = (limit: keyof TierLimits) => tiers.map(tier => defaultCallPolicy.tiers[tier][limit])
export const centMicroUsd = 10_000

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

/** Risks that keep production from starting unless accepted by name; `production-rules.ts` detects them. */
export const riskNames = [
  'http-public-url',
  'weak-token-secret',
  'test-payment-keys',
  'plaintext-database',
  'plaintext-redis',
] as const
export type RiskName = (typeof riskNames)[number]

const anyRisk = riskNames.join('|')
const risksText = `must be one or more of ${riskNames.join(', ')}, separated by commas, without spaces`
const risks = z.string().check(z.regex(new RegExp(`^(${anyRisk})(,(${anyRisk}))*$`), risksText))

const phoneNumber = z
  .string()
  .check(z.regex(/^\+[1-9]\d{6,14}$/, 'must be a number with its country code, such as +14155550100'))

const twilioId = (kind: 'AC' | 'SK' | 'AP') =>
  z
    .string()
    .check(z.regex(new RegExp(`^${kind}[0-9a-fA-F]{32}$`), `must be ${kind} and 32 hexadecimal digits`))

export const variables = z.object({
  NODE_ENV: z._default(z.enum(['development', 'test', 'production']), 'development'),
  ACCEPTED_RISKS: z.optional(risks),
  PORT: z._default(wholeNumber(1, 65_535), 4321),
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  DANGEROUSLY_EXPOSE_STAND_INS: z.optional(z.literal('yes', "must be 'yes' or left out")),
  PUBLIC_URL: z.optional(
    z.string().check(z.regex(/^https?:\/\/[^/?#\s]+\/?$/, 'must be an http or https address without a path')),
  ),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), 'var'),
  // Only the scheme; `db/postgres-address.ts` parses the rest and explains its errors.
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'))),
  // Each transaction holds one connection: with fewer than two, one slow transaction would stop everything.
  DATABASE_POOL: z._default(wholeNumber(2, 500), defaultPoolSize),
  REDIS_URL: z.optional(z.url({ protocol: /^rediss?$/, error: 'must start with redis://' })),
  LOG_LEVEL: z.optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
  TOKEN_SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  TELEPHONY: z.optional(z.enum(['exchange', 'twilio', 'trunk'], "must be 'exchange', 'twilio' or 'trunk'")),
  TRUNK_FILE: z.optional(z.string()),
  EXCHANGE_ADDRESS: z.optional(ipAddress),
  EXCHANGE_BIND_ADDRESS: z.optional(ipAddress),
  EXCHANGE_PORTS: z.optional(portRange),
  STRIPE_SECRET_KEY: z.optional(
    z
      .string()
      .check(z.regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key, which starts with sk_ or rk_')),
  ),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^whsec_\S+$/, 'must start with whsec_'))),
  GOOGLE_CLIENT_ID: z.optional(z.string().check(z.regex(/^\S+$/, 'must not contain spaces'))),
  GOOGLE_CLIENT_SECRET: z.optional(z.string().check(z.regex(/^\S+$/, 'must not contain spaces'))),
  GOOGLE_ISSUER: z._default(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
    'https://accounts.google.com',
  ),
  TWILIO_ACCOUNT_SID: z.optional(twilioId('AC')),
  TWILIO_AUTH_TOKEN: z.optional(z.string().check(z.regex(/^\S+$/, 'must not contain spaces'))),
  TWILIO_API_KEY: z.optional(twilioId('SK')),
  TWILIO_API_SECRET: z.optional(z.string().check(z.regex(/^\S+$/, 'must not contain spaces'))),
  TWILIO_APP_SID: z.optional(twilioId('AP')),
  TWILIO_NUMBER: z.optional(phoneNumber),
  TWILIO_EEA_NUMBER: z.optional(phoneNumber),
  TWILIO_API_URL: z._default(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
    'https://api.twilio.com',
  ),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, error: 'must start with smtp:// or smtps://' })),
  MAIL_FROM: z._default(
    z.email('must be a bare address, such as support@farline.example'),
    company.supportEmail,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  ),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  TRUSTED_PROXIES: z._default(wholeNumber(0, 10), 0),
  REVIEW_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  FREE_CALLS_PER_MONTH: z._default(wholeNumber(1, 1000), defaultBudgetSettings.freeCallsPerMonth),
  CALL_ATTEMPTS_PER_HOUR: forTiers(10_000, limitDefaults('attemptsPerHour')),
  ANSWERED_CALLS_PER_HOUR: forTiers(10_000, limitDefaults('answeredPerHour')),
  ANSWERED_CALLS_PER_DAY: forTiers(100_000, limitDefaults('answeredPerDay')),
  CONCURRENT_CALLS: forTiers(10, limitDefaults('concurrentCalls')),
  LONGEST_CALL_MINUTES: forTiers(1440, limitDefaults('longestCallMinutes')),
  HIGHEST_RATE_USD_CENTS: forTiers(
    100_000,
    limitDefaults('highestRateMicroUsd').map(rate => rate / centMicroUsd),
  ),
  BREAKER_RATE_USD_CENTS: z._default(
    wholeNumber(1, 100_000),
    defaultCallPolicy.breaker.fromRateMicroUsd / centMicroUsd,
  ),
  BREAKER_ACCOUNTS: z._default(wholeNumber(2, 100_000), defaultCallPolicy.breaker.accounts),
  VERIFICATION_CALLS_PER_DAY: z._default(wholeNumber(1, 100), defaultBudgetSettings.verificationCallsPerDay),
  POLICY_OVERRIDES: z.prefault(policyOverrides, '{}'),
})

export type Environment = z.infer<typeof variables>

export const variableNames: readonly string[] = Object.keys(variables.def.shape)

const requiredOfTwilio = {
  TWILIO_ACCOUNT_SID: 'the voice provider',
  TWILIO_AUTH_TOKEN: 'verifies the requests of the voice provider',
  TWILIO_API_KEY: 'the key to the voice provider, with its secret',
  TWILIO_API_SECRET: 'the secret of that key',
  TWILIO_APP_SID: 'the application at the voice provider that calls this server',
  TWILIO_NUMBER: 'the public number that calls come from',
}

/**
 * With reasons. The local stand-ins (embedded database, exchange, inbox, checkout) exist only outside production.
 * @param telephony as given, unchecked
 */
export function requiredInProduction(telephony: string | undefined): Readonly<Record<string, string>> {
  return {
    PUBLIC_URL: 'the https address people use',
    TOKEN_SECRET: 'at least 32 random characters that sign the tokens',
    DATABASE_URL: 'the PostgreSQL database',
    ...(telephony !== 'trunk' && requiredOfTwilio),
    SMTP_URL: 'the mail server',
    STRIPE_SECRET_KEY: 'the account that takes card payments',
    STRIPE_WEBHOOK_SECRET: 'verifies the events of that account',
  }
}

/** Variables of a provider that are useless without each other. */
export const together = {
  Stripe: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  Google: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  Twilio: [
    'TWILIO_ACCOUNT_SID',
    'TWILIO_AUTH_TOKEN',
    'TWILIO_API_KEY',
    'TWILIO_API_SECRET',
    'TWILIO_APP_SID',
    'TWILIO_NUMBER',
  ],
} as const

/** In production these must use TLS. */
export const secureInProduction = ['GOOGLE_ISSUER', 'TWILIO_API_URL'] as const
