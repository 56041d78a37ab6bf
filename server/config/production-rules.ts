import { readPostgresAddress } from '../db/postgres-address.ts'
import { type RiskName, requiredInProduction, secureInProduction } from './environment.ts'
import { hostKind } from './host-kind.ts'
import { weaknessOf } from './secret-strength.ts'

type Given = Readonly<Record<string, string | undefined>>

export interface Risk {
  readonly name: RiskName
  readonly variable: string
  /** What is wrong and what to do, without the variable's name. Never a secret. */
  readonly says: string
}

/** Problems that cannot be accepted. @returns a sentence for each, beginning with the variable's name */
export function productionProblems(given: Given): string[] {
  const problems: string[] = []
  for (const [name, what] of Object.entries(requiredInProduction(given.TELEPHONY))) {
    if (given[name] === undefined) problems.push(`${name}: required in production (${what})`)
  }
  if (given.TELEPHONY === 'exchange') {
    problems.push('TELEPHONY: the exchange reaches no telephones. Use twilio or trunk in production')
  }
  for (const name of secureInProduction) {
    if (given[name]?.startsWith('http:')) problems.push(`${name}: must be an https address in production`)
  }
  if (given.POLICY_OVERRIDES !== undefined) {
    problems.push(
      'POLICY_OVERRIDES: is for tests, and the pages state what the policies say. Leave it out in production',
    )
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
      says: `${weakness}: whoever guesses it can log in as anyone. Make one with \`openssl rand -hex 32\``,
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
