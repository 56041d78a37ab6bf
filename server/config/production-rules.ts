import { defaultFreeCallTerms } from '#lib/money/pricing.ts'
import { readPostgresAddress } from '../db/postgres-address.ts'
import { centMicroUsd, type RiskName, requiredInProduction, secureInProduction } from './environment.ts'
import { hostKind } from './host-kind.ts'
import { weaknessOf } from './secret-strength.ts'

type Given = Readonly<Record<string, string | undefined>>

export interface Risk {
  readonly name: RiskName
  readonly variable: string
  /** What is wrong and what to do, without the variable's name. Never a secret. */
  readonly says: string
}

/** Values built into the site's pages, which production must keep. */
const promisedByPages = {
  FREE_CALL_WORTH_USD_CENTS: defaultFreeCallTerms.worthMicroUsd / centMicroUsd,
  FREE_CALL_MINUTES: defaultFreeCallTerms.longestMinutes,
} as const

/** Problems that cannot be accepted. @returns a sentence for each, beginning with the variable's name */
export function productionProblems(given: Given): string[] {
  const problems: string[] = []
  for (const [name, what] of Object.entries(requiredInProduction)) {
    if (given[name] === undefined) problems.push(`${name}: required in production (${what})`)
  }
  for (const name of secureInProduction) {
    if (given[name]?.startsWith('http:')) problems.push(`${name}: must be an https address in production`)
  }
  for (const [name, value] of Object.entries(promisedByPages)) {
    if (Number(given[name] ?? value) !== value) {
      problems.push(
        `${name}: the pages, the terms and /rates.json promise ${value}. Change defaultFreeCallTerms in src/lib/money/pricing.ts, of which they and the server are made, build again, and leave this out`,
      )
    }
  }
  return problems
}

/** Problems that keep production from starting unless the operator accepts them by name (ADR-51). */
export function productionRisks(given: Given): Risk[] {
  const risks: Risk[] = []
  if (given.PUBLIC_URL?.startsWith('http:')) {
    risks.push({
      name: 'http-public-url',
      variable: 'PUBLIC_URL',
      says: 'is not https: passwords and cookies travel unencrypted, and browsers give such a page no microphone. Put a proxy with a certificate in front, and set its https address',
    })
  }
  const weakness = given.TOKEN_SECRET === undefined ? undefined : weaknessOf(given.TOKEN_SECRET)
  if (weakness !== undefined) {
    risks.push({
      name: 'weak-token-secret',
      variable: 'TOKEN_SECRET',
      says: `${weakness}: whoever guesses it can sign in as anyone. Make one with \`openssl rand -hex 32\``,
    })
  }
  if (/^(sk|rk)_test_/.test(given.STRIPE_SECRET_KEY ?? '')) {
    risks.push({
      name: 'test-payment-keys',
      variable: 'STRIPE_SECRET_KEY',
      says: 'is a key for test money: anybody can buy credits with a test card and call at your expense. Use a live key',
    })
  }
  if (isPlaintextDatabase(given.DATABASE_URL)) {
    risks.push({
      name: 'plaintext-database',
      variable: 'DATABASE_URL',
      says: 'names a PostgreSQL on another machine without TLS. Add ?sslmode=verify-full, or ?sslmode=require if its certificate cannot be checked',
    })
  }
  const redis = URL.parse(given.REDIS_URL ?? '')
  if (redis?.protocol === 'redis:' && hostKind(redis.hostname) !== 'this machine') {
    risks.push({
      name: 'plaintext-redis',
      variable: 'REDIS_URL',
      says: 'names a Redis on another machine without TLS. Use rediss://',
    })
  }
  return risks
}

/** `prefer`, the default, counts as plaintext: it falls back to it where the server offers no TLS. */
function isPlaintextDatabase(url: string | undefined): boolean {
  if (url === undefined) return false
  try {
    const { host, ssl } = readPostgresAddress(url)
    const secure = ssl === 'require' || ssl === 'verify-full'
    return !secure && !host.startsWith('/') && hostKind(host) !== 'this machine'
  } catch {
    // An unparseable address is a start-up error of its own, with its reason.
    return false
  }
}
