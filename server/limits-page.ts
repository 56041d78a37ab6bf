import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claimDays, creditWindowDays, shortCallMs } from '#lib/rules/call-credit.ts'
import { formatBalance } from '#lib/rules/money.ts'
import {
  type AutoTopUpRate,
  type CallPolicy,
  defaultCallPolicy,
  defaultPaymentPolicy,
  lineCheckLimit,
  type PaymentPolicy,
  signInPolicy,
  tiers,
} from './policy.ts'

export const limitsPagePath = join(import.meta.dirname, '..', 'docs', 'limits.md')

/** `docs/limits.md`: the fraud limits as the policy has them. */
export function limitsPage(calls: CallPolicy, payments: PaymentPolicy): string {
  const { established, breaker, freeCall, credit } = calls
  const { autoTopUp } = payments
  const { failedLogins, mails } = signInPolicy
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

Made from \`server/policy.ts\` by \`node server/limits-page.ts\`: change them there, or by [configuration](configuration.md).

| Limit | Never paid | Under ${established.afterDays} days or ${usd(established.paidMicroUsd)} | After that |
|---|---|---|---|
${rows.map(cells => `| ${cells.join(' | ')} |`).join('\n')}

- The days count from the first payment. What an operator credits counts as paid; what was refunded or is disputed
  does not.
- Attempts are calls that were placed, answered or not; what was refused before is none.
- Several calls at once never cost more than the balance: each holds what its limit may still cost, and the next one
  is measured by the rest. The same holds for the caps that users set on a call and on a month's (UTC).
- A free call is worth at most ${usd(freeCall.worthMicroUsd)} and ${freeCall.longestMinutes} minutes, one for each account; in 30 days at most ${calls.freeCallsPerMonth} from one address
  (of IPv6 the /64), from one device and to one number. Loopback addresses and the exchange's test numbers are exempt.
- A test call, to a number that the caller has verified, is free for ${calls.testCall.longestMinutes} minute, where the rate is not above the worth of a
  free call: one in ${calls.testCall.everyDays} days for each account; in 30 days at most ${calls.testCall.perMonth} from one address, from one device and to one number.
  It counts as an attempt, and not as an answered call.
- A prefix of ${usd(breaker.fromRateMicroUsd)} a minute or more that ${breaker.accounts} accounts call within ${breaker.windowSeconds / 60} minutes is called by nobody for
  ${breaker.pauseSeconds / 60} minutes. The log says so as an error, with the prefix; it opens again by itself.
- An account opens at most ${payments.checkoutsPerHour} checkouts in an hour. What it pays beyond ${usd(payments.reviewAboveMicroUsd)} in a day waits for a review.
- Bad calls: ${credit.automaticMost} of one account are given back by themselves in ${creditWindowDays} days, those under ${shortCallMs / 1000} s and those without sound, and
  ${credit.claimsMost} on a claim within ${claimDays} days of the call. What rests on a caller's word is ${usd(credit.onWordMostMicroUsd)} at most. Restricted accounts get none.
- Caller-ID verification: ${calls.verificationCallsPerDay} calls a day for each account and to each number, ${calls.verificationGapSeconds} s apart.
- Checks of the line: ${lineCheckLimit.most} in ${lineCheckLimit.windowSeconds / 60} minutes for each account, and at the exchange one at a time.

What a caller reads at each of them stands in \`server/services/calls/refusals.ts\`.

## Signing in

Accounts and addresses (of IPv6 the /64) are counted apart; an account is counted whether or not it exists. Loopback
addresses are exempt. Whoever is refused reads how long to wait, and a program finds it in \`Retry-After\`.

- ${failedLogins.account.most} failed log-ins of one account in ${failedLogins.account.windowSeconds / 60} minutes, then none is looked at, a right password as little as a wrong one.
  ${failedLogins.address.most} from one address in the same time.
- Confirmation and reset mails: ${mails.account.most} a minute and ${mails.accountLong.most} an hour for one account, each kind for itself; of resets ${mails.resetLong.most}
  in ${mails.resetLong.windowSeconds / 60} minutes, as long as their links work. Registering one address goes beyond the minute, and is refused after
  ${mails.accountLong.most} an hour.
- ${mails.address.most} mails an hour from one address, whomever they go to.
`
}

if (import.meta.main) writeFileSync(limitsPagePath, limitsPage(defaultCallPolicy, defaultPaymentPolicy))
