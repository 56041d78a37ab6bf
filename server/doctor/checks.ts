import type { Config } from '../config.ts'
import type { StripeAddress } from '../payments/stripe/client.ts'
import { checkStripe } from '../payments/stripe/doctor.ts'
import { checkTwilio } from '../telephony/twilio/doctor.ts'
import { checkAddress } from './address.ts'
import { checkDatabase } from './database.ts'
import { checkDirectory } from './directory.ts'
import { type Check, examine, type Finding, findingsAbout } from './finding.ts'
import { checkGoogle } from './google.ts'
import { checkMail } from './mail.ts'
import { checkRedis } from './redis.ts'
import { checkSite } from './site.ts'

/** What stands in where a provider is not configured, outside production. */
const standIns = {
  Database: 'DATABASE_URL is not set.',
  Mail: 'SMTP_URL is not set: mails go to the local inbox, /dev/inbox.',
  Twilio: 'Twilio is not set up: the local exchange carries calls.',
  Stripe: 'Stripe is not set up: the local checkout takes test cards.',
} as const

/**
 * Looks at everything that a configuration names, all at once, in the order that a person would.
 * @param stripeAddress where Stripe is asked, if not at its own place
 */
export async function checkConfiguration(
  config: Config,
  stripeAddress?: StripeAddress,
): Promise<readonly Finding[]> {
  const { databaseUrl, redisUrl, smtp, twilio, stripe, google, production, publicUrl } = config
  const standIn = (about: keyof typeof standIns): Check => ({
    about,
    run: async find => [find.ok(standIns[about])],
  })
  const checks: Check[] = [
    checkSite(),
    checkAddress(config),
    checkDirectory(config),
    databaseUrl === undefined ? standIn('Database') : checkDatabase({ ...config, databaseUrl }),
    ...(redisUrl === undefined ? [] : [checkRedis(redisUrl)]),
    smtp === undefined ? standIn('Mail') : checkMail(smtp),
    twilio === undefined ? standIn('Twilio') : checkTwilio(twilio, publicUrl),
    stripe === undefined
      ? standIn('Stripe')
      : checkStripe({ secretKey: stripe.secretKey, address: stripeAddress }, config),
    google === undefined ? withoutGoogle(production) : checkGoogle(google, publicUrl),
  ]
  return (await Promise.all(checks.map(check => examine(check)))).flat()
}

function withoutGoogle(production: boolean): Check {
  const says = production
    ? 'GOOGLE_CLIENT_ID is not set: there is no Google button.'
    : 'GOOGLE_CLIENT_ID is not set: a development issuer under /dev/google stands in.'
  return { about: 'Google', run: async find => [find.ok(says)] }
}

/** What the environment itself has wrong, a finding each. */
export function configurationProblems(problems: readonly string[]): readonly Finding[] {
  const find = findingsAbout('Configuration')
  return problems.map(problem => {
    const [name = ''] = problem.split(':')
    return find.problem(problem, `Set ${name} as docs/configuration.md says.`)
  })
}

/** The findings as lines of text, and how many are of which kind. */
export function report(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ state, about, says, mend }) => [
    `${state.padEnd(8)} ${about}: ${says}`,
    ...(mend === undefined ? [] : [`${' '.repeat(9)}${mend}`]),
  ])
  const count = (state: Finding['state']) => findings.filter(finding => finding.state === state).length
  const [problems, warnings] = [count('problem'), count('warning')]
  return [...lines, '', `${problems} problems, ${warnings} warnings.`].join('\n')
}
