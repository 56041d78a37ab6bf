import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, TwilioSettings } from '../config.ts'
import type { StripeAddress } from '../payment-provider/stripe/client.ts'
import { checkStripe } from '../payment-provider/stripe/doctor.ts'
import { type Check, examine, type Finding, findingsAbout } from '../process/finding.ts'
import { readCosts } from '../tariff/costs-file.ts'
import { readTariff } from '../tariff/tariff-file.ts'
import { checkCountries } from '../telephony/twilio/countries-doctor.ts'
import { checkTwilio } from '../telephony/twilio/doctor.ts'
import { publicNumbersOf } from '../telephony/twilio/public-numbers.ts'
import { checkAddress } from './address.ts'
import { checkDatabase } from './database.ts'
import { checkDirectory } from './directory.ts'
import { checkGoogle } from './google.ts'
import { checkMail } from './mail.ts'
import { checkPrices } from './prices.ts'
import { checkRedis } from './redis.ts'
import { checksOfTrunks } from './trunk.ts'

/** What replaces an unconfigured provider outside production. */
const standIns = {
  Database: 'DATABASE_URL is not set.',
  Mail: 'SMTP_URL is not set: e-mails go to the local inbox, /dev/inbox.',
  Twilio: 'Twilio is not set up: the local exchange carries calls.',
  Stripe: 'Stripe is not set up: the local checkout takes test cards.',
} as const

interface Asked {
  /** Undefined: not set in production, which is reported as a problem. */
  readonly publicUrl?: string | undefined
  /** Whether the named network lacks its variables, which is reported as a problem: no other stands in for it. */
  readonly withoutNetwork?: boolean
  readonly stripeAddress?: StripeAddress
}

/** Checks all parts at once, each if its own variables are set, and reports in reading order. */
export async function checkConfiguration(
  config: Config,
  { stripeAddress, withoutNetwork = false, ...asked }: Asked = {},
): Promise<readonly Finding[]> {
  const { databaseUrl, redisUrl, smtp, stripe, google, production } = config
  const publicUrl = 'publicUrl' in asked ? asked.publicUrl : config.publicUrl
  /** Production has no stand-ins: what is missing is a problem of its configuration. */
  const standIn = (about: keyof typeof standIns): Check[] =>
    production ? [] : [{ about, run: async find => [find.ok(standIns[about])] }]
  const checks: Check[] = [
    acceptedRisks(config),
    checkSite(),
    ...(publicUrl === undefined ? [] : [checkAddress({ ...config, publicUrl })]),
    checkDirectory(config),
    ...(databaseUrl === undefined ? standIn('Database') : [checkDatabase({ ...config, databaseUrl })]),
    ...(redisUrl === undefined ? [] : [checkRedis(redisUrl)]),
    ...(smtp === undefined ? standIn('Mail') : [checkMail(smtp)]),
    ...(checksOfNetwork(config, publicUrl) ?? (withoutNetwork ? [] : standIn('Twilio'))),
    ...(stripe === undefined
      ? standIn('Stripe')
      : [checkStripe({ secretKey: stripe.secretKey, address: stripeAddress }, { publicUrl, production })]),
    google === undefined ? withoutGoogle(production) : checkGoogle(google, publicUrl),
  ]
  return (await Promise.all(checks.map(check => examine(check)))).flat()
}

/** `npm start` builds the pages; a server started otherwise does not. */
export function checkSite(directory = join(import.meta.dirname, '..', '..', 'dist')): Check {
  return {
    about: 'Site',
    run: async find => [
      existsSync(join(directory, 'index.html'))
        ? find.ok('The pages are built.')
        : find.warning('The pages are not built yet.', 'npm start builds them; otherwise: npm run build'),
    ],
  }
}

/** @returns undefined where the local exchange carries the calls */
function checksOfNetwork(
  { twilio, trunkFile, production }: Config,
  publicUrl: string | undefined,
): readonly Check[] | undefined {
  if (trunkFile !== undefined) return checksOfTrunks(trunkFile, production)
  return twilio && checksOfTwilio(twilio, publicUrl)
}

function checksOfTwilio(twilio: TwilioSettings, publicUrl: string | undefined): Check[] {
  const tariff = readTariff()
  const telephony = { publicNumbers: publicNumbersOf(twilio) }
  return [
    checkTwilio(twilio, publicUrl),
    checkCountries(twilio, tariff),
    checkPrices(
      { tariff, costs: readCosts(), telephony },
      'In the EEA: buy a number there and set TWILIO_EEA_NUMBER (docs/operating/twilio.md). Elsewhere: npm run prices -- --check',
    ),
  ]
}

/** The risks that the operator accepted; `configurationProblems` reports what prevents a start. */
function acceptedRisks({ acceptedRisks: risks }: Pick<Config, 'acceptedRisks'>): Check {
  return {
    about: 'Accepted risks',
    run: async find =>
      risks.map(({ name, variable, says }) =>
        find.warning(`${variable} ${says}.`, `Then take ${name} out of ACCEPTED_RISKS.`),
      ),
  }
}

function withoutGoogle(production: boolean): Check {
  const says = production
    ? 'GOOGLE_CLIENT_ID is not set: the pages show no Google button.'
    : 'GOOGLE_CLIENT_ID is not set: a development issuer under /dev/google stands in.'
  return { about: 'Google', run: async find => [find.ok(says)] }
}

export function configurationProblems(problems: readonly string[]): readonly Finding[] {
  const find = findingsAbout('Configuration')
  return problems.map(problem => {
    const [name = ''] = problem.split(':')
    return find.problem(problem, `Set ${name} as described in docs/configuration.md.`)
  })
}

export function report(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ state, about, says, mend }) => [
    `${state.padEnd(8)} ${about}: ${says}`,
    ...(mend === undefined ? [] : [`${' '.repeat(9)}${mend}`]),
  ])
  const count = (state: Finding['state']) => findings.filter(finding => finding.state === state).length
  const [problems, warnings] = [count('problem'), count('warning')]
  return [...lines, '', `${problems} problems, ${warnings} warnings.`].join('\n')
}
