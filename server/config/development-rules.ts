import { together } from './environment.ts'
import { hostKind } from './host-kind.ts'

/** Opens the stand-ins to the network; the name warns on purpose. */
export const exposeStandIns = 'DANGEROUSLY_EXPOSE_STAND_INS'

type Given = Readonly<Record<string, string | undefined>>

/**
 * Outside production anybody who reaches the server can log in as anyone, by the inbox or the stand-in for Google. So
 * it must not take real money, ring real phones, send real e-mail or be open to other machines (ADR-51).
 * @returns a sentence for each problem, beginning with the variable's name
 */
export function developmentProblems(given: Given): string[] {
  const problems: string[] = []
  if (/^(sk|rk)_live_/.test(given.STRIPE_SECRET_KEY ?? '')) {
    problems.push(
      `STRIPE_SECRET_KEY: a live key moves real money. ${setProduction}, or use a test key, sk_test_… or rk_test_…`,
    )
  }
  const isUsed = given.TELEPHONY === undefined || given.TELEPHONY === 'twilio'
  const twilio = together.Twilio.find(name => isUsed && given[name] !== undefined)
  if (twilio !== undefined && kindOf(given.TWILIO_API_URL) !== 'this machine') {
    problems.push(
      `${twilio}: a Twilio account rings real phones. ${setProduction}, or leave out Twilio's variables to use the local exchange`,
    )
  }
  if (given.SMTP_URL !== undefined && kindOf(given.SMTP_URL) !== 'this machine') {
    problems.push(
      `SMTP_URL: that server sends real e-mails. ${setProduction}, or leave it out to use the local inbox. A mail server on this machine is allowed`,
    )
  }
  if (given.PUBLIC_URL !== undefined && kindOf(given.PUBLIC_URL) === 'public') {
    problems.push(
      `PUBLIC_URL: is a public address. ${setProduction}, or use localhost, a .local name or a private address`,
    )
  }
  if (
    given.HOST !== undefined &&
    given[exposeStandIns] !== 'yes' &&
    hostKind(given.HOST) !== 'this machine'
  ) {
    problems.push(
      `HOST: ${given.HOST} admits other machines, and outside production anybody who reaches the server can log in as anyone. Use 127.0.0.1, or set ${exposeStandIns}=yes if you trust everybody on the network`,
    )
  }
  return problems
}

const setProduction = 'Set NODE_ENV=production'

/** Undefined: no address, or an unparseable one, which is reported separately. */
function kindOf(url: string | undefined): ReturnType<typeof hostKind> | undefined {
  const host = url === undefined ? undefined : URL.parse(url)?.hostname
  return host === undefined ? undefined : hostKind(host)
}
