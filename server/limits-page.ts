import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatBalance } from '#lib/money/money.ts'
import { refundDays } from '#lib/money/refunds.ts'
import {
  type Bound,
  type BudgetKind,
  type BudgetScope,
  type Budgets,
  budgetAlertShare,
  budgetKinds,
  budgetScopes,
} from './budget-policy.ts'
import { claimDays, creditWindowDays, shortCallMs } from './calls/call-credit.ts'
import {
  type AutoTopUpRate,
  type CallPolicy,
  defaultCallPolicy,
  defaultPaymentPolicy,
  failedLoginPolicy,
  type PaymentPolicy,
  pageRequestsPerMinute,
  secondFactorPolicy,
  tiers,
} from './policy.ts'

export const limitsPagePath = join(import.meta.dirname, '..', 'docs', 'limits.md')

/** Generates `docs/limits.md` from the policies. */
export function limitsPage(calls: CallPolicy, payments: PaymentPolicy): string {
  const { established, breaker, freeCall, credit, newCustomer } = calls
  const { autoTopUp, referral } = payments
  const of = tiers.map(tier => calls.tiers[tier])
  const usd = formatBalance
  const rate = ({ perHour, perDay }: AutoTopUpRate) =>
    perDay === 0 ? '-' : `${perHour} an hour, ${perDay} a day`
  const rows = [
    ['Attempts in an hour', ...of.map(limits => limits.attemptsPerHour)],
    ['Answered calls in an hour', ...of.map(limits => limits.answeredPerHour)],
    ['Answered calls in a day', ...of.map(limits => limits.answeredPerDay)],
    ['Calls at once', ...of.map(limits => limits.concurrentCalls)],
    ['Longest call, minutes', ...of.map(limits => limits.longestCallMinutes)],
    ['Highest rate per minute', ...of.map(limits => usd(limits.highestRateMicroUsd))],
    ['Auto top-up', ...tiers.map(tier => rate(autoTopUp.tiers[tier]))],
  ]
  return `# Fraud limits

Made from \`server/policy.ts\` and \`server/budget-policy.ts\` by \`node server/limits-page.ts\`: change them there, or by
[configuration](configuration.md).

| Limit | Never paid | Under ${established.afterDays} days or ${usd(established.paidMicroUsd)} | After that |
|---|---|---|---|
${rows.map(cells => `| ${cells.join(' | ')} |`).join('\n')}

- The days count from the first payment. What an operator credits counts as paid; what was refunded or is disputed
  does not.
- Attempts are calls that were placed, answered or not; what was refused before is none.
- Several calls at once never cost more than the balance: each holds what its limit may still cost, and the next one
  is measured by the rest. The same holds for the caps that users set on a call and on a month's (UTC).
- A free call is worth at most ${usd(freeCall.worthMicroUsd)} and ${freeCall.longestMinutes} minutes, one for each account. A test call, to a number that
  the caller has verified, is free for ${calls.testCallMinutes} minute where the rate is not above that worth. It counts as an attempt, and not as
  an answered call. How many of both we give is a [budget](#budgets).
- A prefix of ${usd(breaker.fromRateMicroUsd)} a minute or more that ${breaker.accounts} accounts call or verify a number of within ${breaker.windowSeconds / 60} minutes is called
  by nobody for ${breaker.pauseSeconds / 60} minutes. The log says so as an error, with the prefix; it opens again by itself.
- An account opens at most ${payments.checkoutsPerHour} checkouts in an hour. What it pays beyond ${usd(payments.reviewAboveMicroUsd)} in a day waits for a review.
- In the ${newCustomer.hours} hours after an account's first payment its calls cost at most ${usd(newCustomer.spendMicroUsd)} in all, whatever it paid.
  A payment that was refunded, or is disputed or reported as fraud, is no first one.
- A card pays for ${payments.accountsPerCard} accounts in 30 days. A payment by any other waits for a review, all of it; the first ones go on.
- A payment that its bank reports as fraud is refunded, and its account blocked until an operator lets it call.
- A referral earns ${usd(referral.rewardMicroUsd)} once ${refundDays} days have passed since a payment of ${usd(referral.minPaymentMicroUsd)} or more, and so much of it stays
  paid, undisputed and not reported; once for each person, card and mailbox; for one referrer at most ${usd(referral.monthlyMicroUsd)} in a
  calendar month (UTC). None for an account, card, device or mailbox of the referrer's own.
- What was given (bonuses, rewards, goodwill, adjustments) never goes to a card: calls use what was bought first.
- Bad calls: ${credit.maxAutomatic} of one account are given back by themselves in ${creditWindowDays} days, those under ${shortCallMs / 1000} s and those without sound, and
  ${credit.maxClaims} on a claim within ${claimDays} days of the call. What rests on a caller's word is ${usd(credit.maxUnverifiedCreditMicroUsd)} at most. Restricted accounts get none.
- A number is verified as a caller ID by who may call it; before the first payment, only up to ${usd(calls.unpaidVerificationMaxRateMicroUsd)} a minute.
- At the exchange a user checks the line one at a time.

What a caller reads at each of them stands in \`server/services/calls/rejections.ts\`.

## Budgets

What we pay for without being paid is bounded for each of these, and for everyone together
([ADR-48](decisions/0048-one-budget.md)):

${budgetTable(calls.budgets)}

${kindNotes.join('\n')}

- An account has these beside what its tier allows. A mailbox is all addresses that reach it: without what
  follows a plus, and for Gmail without dots. A device is the browser's cookie. An address of IPv6 is its /64. A network is a
  /48 of IPv6, or a /24 of IPv4. A prefix is the tariff's.
- A window begins with its first use; a day of a prefix and of everyone is one of UTC. Money is our own estimate: minutes at
  the tariff's rate.
- What is asked for at one moment is counted one after the other: none of these is exceeded by many at once.
- A free or test call that nobody answers is given back; of one that somebody answers, what it was worth less than reserved.
- What comes from loopback counts for the account, the e-mail address, the number to verify, and everyone; line checks for
  everyone alone. Calls to the exchange's test numbers count only as the account's test call.
- At ${budgetAlertShare * 100} % of a budget for everyone the alert \`FarlineBudgetRunsOut\` fires, and the log warns. Whoever comes after the end
  reads so, and when it begins anew.

## Signing in

Accounts and addresses (of IPv6 the /64) are counted apart; an account is counted whether or not it exists. Loopback
addresses are exempt. Whoever is refused reads how long to wait, and a program finds it in \`Retry-After\`.

- ${failedLoginPolicy.maxPerAccount} failed log-ins of one account in ${failedLoginPolicy.windowSeconds / 60} minutes, then none is looked at, a right password as little as a wrong one.
  ${failedLoginPolicy.maxPerAddress} from one address in the same time. An account on a browser that it has signed in with before is
  counted by neither: ${failedLoginPolicy.maxPerKnownDevice} in the same time, whatever is tried elsewhere.
- ${secondFactorPolicy.maxCodes} wrong codes of one account in ${secondFactorPolicy.windowSeconds / 60} minutes, and ${secondFactorPolicy.maxCodesPerDay} in a day, of an authenticator app or for recovery. A browser that
  it has signed in with before has as many of its own, whatever is tried elsewhere. At the tenth of a day the owner gets a
  mail, one a day. An account has up to ${secondFactorPolicy.maxPasskeys} passkeys, and ${secondFactorPolicy.recoveryCodes} recovery codes at a time.
- What every page asks for by itself (the account's state, a session's renewal and end, a voice token) is answered
  ${pageRequestsPerMinute} times a minute for one address, each counted for itself.
- Mails are counted before anybody looks whether the address has an account: the answer is the same for each.
`
}

const kindTitles: Readonly<Record<BudgetKind, string>> = {
  free_call: 'Free calls',
  test_call: 'Test calls',
  unanswered_ring: 'Unanswered calls',
  unanswered_ring_paid: '- of accounts that have paid',
  verification_call: 'Verification calls',
  line_check: 'Line checks',
  mail: 'Mails by form',
  confirmation_mail: '- confirming',
  confirmation_gap: '- confirming again',
  reset_mail: '- choosing a password',
  notice_mail: 'Notices',
  first_notice: '- whatever others had',
  support_mail: 'Messages to support',
}

const scopeTitles: Readonly<Record<BudgetScope, string>> = {
  account: 'Account',
  mailbox: 'Mailbox',
  device: 'Device',
  address: 'Address',
  network: 'Network',
  account_to_callee: 'Account to a number',
  callee: 'Number',
  recipient: 'E-mail address',
  prefix: 'Prefix',
  everyone: 'Everyone',
}

const kindNotes = [
  '- Unanswered calls: while they ring and when nobody answered; in the first row those of accounts that never paid.',
  '- Mails by form: those that anybody can have sent to any address, to confirm it, to choose a password, or to move an account there.',
  '- Notices: of a new sign-in, a copied session, a changed password, a changed second factor, codes that were tried, a deleted',
  '  account; each counted for itself. They go to confirmed addresses alone. The first ones of a day are sent whatever everyone else was sent.',
]

function budgetTable(budgets: Budgets): string {
  const cells = (kind: BudgetKind) =>
    budgetScopes.map(scope =>
      budgets[kind]
        .filter(({ per }) => per === scope)
        .map(boundText)
        .join('; '),
    )
  const rows = budgetKinds.map(kind => [kindTitles[kind], ...cells(kind)])
  const head = ['Budget', ...budgetScopes.map(scope => scopeTitles[scope])]
  return [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
}

function boundText(bound: Bound): string {
  const max = 'maxUses' in bound ? bound.maxUses : formatBalance(bound.maxMicroUsd)
  return `${max} ${windowText(bound.windowSeconds)}`
}

function windowText(seconds: number): string {
  const named = new Map([
    [60, 'a minute'],
    [3600, 'an hour'],
    [86_400, 'a day'],
  ]).get(seconds)
  if (named !== undefined) return named
  return seconds % 86_400 === 0 ? `in ${seconds / 86_400} days` : `in ${seconds / 60} minutes`
}

if (import.meta.main) writeFileSync(limitsPagePath, limitsPage(defaultCallPolicy, defaultPaymentPolicy))
