import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { maxCharactersAtOnce, maxCharactersTyped, textRelayLimits } from '#lib/calls/real-time-text.ts'
import { formatBalance } from '#lib/money/money.ts'
import { refundDays } from '#lib/money/refunds.ts'
import { claimDays, creditWindowDays, shortCallMs } from './calls/settlement/call-credit.ts'
import {
  type AutoTopUpRate,
  type CallPolicy,
  defaultCallPolicy,
  defaultPaymentPolicy,
  failedLoginPolicy,
  giftCodePolicy,
  type PaymentPolicy,
  pageRequestsPerMinute,
  secondFactorPolicy,
  tiers,
} from './config/policy.ts'
import { maxConnections } from './http/connection-limit.ts'
import {
  type Bound,
  type BudgetKind,
  type BudgetScope,
  type Budgets,
  budgetAlertShare,
  budgetKinds,
  budgetScopes,
} from './limits/budget-policy.ts'
import { maxSecondsWithoutToken } from './telephony/exchange/session.ts'
import { socketLimits } from './telephony/exchange/socket-limits.ts'

export const limitsPagePath = join(import.meta.dirname, '..', 'docs', 'limits.md')

/** Generates `docs/limits.md` from the policies. */
export function limitsPage(calls: CallPolicy, payments: PaymentPolicy): string {
  const { established, breaker, freeCall, credit, newCustomer } = calls
  const { autoTopUp, gift, referral } = payments
  const of = tiers.map(tier => calls.tiers[tier])
  const usd = formatBalance
  const rate = ({ perHour, perDay }: AutoTopUpRate) =>
    perDay === 0 ? '-' : `${perHour} an hour, ${perDay} a day`
  const rows = [
    ['Attempts an hour', ...of.map(limits => limits.attemptsPerHour)],
    ['Answered calls an hour', ...of.map(limits => limits.answeredPerHour)],
    ['Answered calls a day', ...of.map(limits => limits.answeredPerDay)],
    ['Calls at once', ...of.map(limits => limits.concurrentCalls)],
    ['Longest call, minutes', ...of.map(limits => limits.longestCallMinutes)],
    ['Highest rate per minute', ...of.map(limits => usd(limits.highestRateMicroUsd))],
    ['Auto top-up', ...tiers.map(tier => rate(autoTopUp.tiers[tier]))],
  ]
  return `# Fraud limits

\`node server/limits-page.ts\` generates this page from \`server/config/policy.ts\` and \`server/limits/budget-policy.ts\`. Change
the limits there; some can be [configured](configuration.md).

| Limit | Never paid | Under ${established.afterDays} days or ${usd(established.paidMicroUsd)} | After that |
|---|---|---|---|
${rows.map(cells => `| ${cells.join(' | ')} |`).join('\n')}

- The days count from the first payment. What an operator credits counts as paid. What was refunded or is disputed does not.
- Attempts are calls that were placed, answered or not. A call that was rejected is not an attempt.
- Several calls at once never cost more than the balance: each reserves what its limit may still cost, and the rest
  sets the limit of the next one. The same applies to the caps that users set on a call and on a month (UTC).
- A free call is worth at most ${usd(freeCall.worthMicroUsd)} and ${freeCall.longestMinutes} minutes, one for each account. A test call, to a number that
  the user has verified, is free for ${calls.testCallMinutes} minute if the rate is not above that worth. It counts as an attempt, but not as
  an answered call. A [budget](#budgets) sets how many of both we give.
- If ${breaker.accounts} accounts call a prefix of ${usd(breaker.fromRateMicroUsd)} a minute or more, or verify a number of it, within ${breaker.windowSeconds / 60} minutes, nobody can
  call it for ${breaker.pauseSeconds / 60} minutes. The log reports this as an error, with the prefix. The prefix opens again automatically.
- An account opens at most ${payments.checkoutsPerHour} checkouts in an hour. The part of its payments beyond ${usd(payments.reviewAboveMicroUsd)} in a day
  waits for a review.
- In the ${newCustomer.hours} hours after an account's first payment its calls cost at most ${usd(newCustomer.spendMicroUsd)} in total, whatever it paid.
  A payment that was refunded, or is disputed or reported as fraud, does not count as the first one.
- A card pays for ${payments.accountsPerCard} accounts in 30 days. A payment by any further account waits for a review, all of it; the
  first accounts continue as before.
- An account, and a card, pays for booklets of at most ${usd(gift.dailyMicroUsd)} in a day ([ADR-65](decisions/0065-booklets.md)); what several checkouts at
  once pay beyond it waits for a review, all of it. A booklet works once nothing of its payment waits, and not while it is
  contested or its buyer is blocked. Buying one does not count as paying, for the limits above. Who redeems one gets the limits of the first days,
  never those after, unless they pay themselves: the ${newCustomer.hours} hours above begin with the first booklet and again with the first
  payment that stands. Of the codes tried, ${giftCodePolicy.maxPerAccount} of an account and ${giftCodePolicy.maxPerAddress} of an address may be wrong in an hour; what an
  account tries beyond its limit does not count for the address.
- A payment that its bank reports as fraud is refunded, and its account is blocked until an operator unblocks it.
- A referral earns ${usd(referral.rewardMicroUsd)} once ${refundDays} days have passed since a payment of ${usd(referral.minPaymentMicroUsd)} or more, if that amount stays paid and
  is neither disputed nor reported as fraud. Each person, card and mailbox earns one reward. A referrer earns at most
  ${usd(referral.monthlyMicroUsd)} in a calendar month (UTC), and nothing for an account, card, device or mailbox of their own.
- Credits that were given (bonuses, rewards, goodwill, adjustments) are never refunded to a card. Calls use bought credits first.
- Bad calls: ${credit.maxAutomatic} of one account are refunded automatically in ${creditWindowDays} days (those under ${shortCallMs / 1000} s and those without sound), and
  ${credit.maxClaims} on a claim within ${claimDays} days of the call. An automatic refund is ${usd(credit.maxUnverifiedCreditMicroUsd)} or one minute at most, whichever is
  more; one that only the user's report supports, ${usd(credit.maxUnverifiedCreditMicroUsd)}. Calls
  that our own restart cut are refunded apart from these, ${credit.maxRestarts} of one account in ${creditWindowDays} days, each up to ${usd(credit.maxUnverifiedCreditMicroUsd)} or one
  minute. Restricted accounts get none. A [budget](#budgets) bounds all but those that our restart cut.
- An account can verify a number as a caller ID if it may call that number; before the first payment, only up to ${usd(calls.unpaidVerificationMaxRateMicroUsd)} a minute.
- On the exchange a user can run one line check at a time.
- In a call between two browsers each side can type ${maxCharactersTyped} characters. It may send ${textRelayLimits.charactersPerSecond} a second, in messages of
  ${maxCharactersAtOnce}, after a burst of ${textRelayLimits.burst}, and ${textRelayLimits.charactersPerCall} in a call, repeats included.

- A server process takes ${maxConnections} sockets of one address for live updates, and as many for the signalling of calls (not with
  Twilio). Of the latter, ${socketLimits.withoutTokenPerAddress} of an address may be without a token, for ${maxSecondsWithoutToken} seconds; of ${socketLimits.withoutToken} in all, the one that waited longest
  is closed for the next one. An account has up to ${socketLimits.perParty} of them. nginx takes 500 sockets of an address.

The text that a user reads at each limit is in \`server/calls/placing/rejections.ts\`.

## Budgets

What we pay for without being paid is bounded for each of these, and for everyone together
([ADR-48](decisions/0048-one-budget.md)):

${budgetTable(calls.budgets)}

${kindNotes.join('\n')}

- These apply in addition to the limits of the account's tier. A mailbox is all addresses that reach it: without what
  follows a plus, and as Gmail, Proton, iCloud, Yandex, Yahoo and Fastmail deliver them (\`server/identity/mailbox.ts\`). A mail domain is
  one that somebody registered, with all mailboxes in it, unless it is a large provider's (\`server/identity/mail-domain.ts\`). A device is the browser's cookie. An address of IPv6 is its /64. A network is a
  /48 of IPv6, or a /24 of IPv4. A prefix is the tariff's.
- A window begins with its first use; a day of a prefix and of everyone is a day in UTC. Money is our own estimate: minutes at
  the tariff's rate; of refunds and credits, their amount.
- Simultaneous requests are counted one after the other, so many at once cannot exceed a budget.
- A free or test call that nobody answers is given back. If it is answered, the unused part of its reservation is given back.
- Requests from loopback that came through no proxy count for the account, the e-mail address, the number to verify, and everyone; line checks only for
  everyone. Calls to the exchange's test numbers count only as the account's test call.
- At ${budgetAlertShare * 100} % of a budget for everyone the alert \`FarlineBudgetRunsOut\` fires, and the log warns. Once the
  budget is used up, users are told so, and when it begins again.

## Logging in

Accounts and addresses (of IPv6 the /64) are counted separately; an account is counted whether or not it exists. Loopback
addresses are exempt; in production only if no proxy was in between. A rejected user reads how long to wait, and a program finds it in \`Retry-After\`.

- ${failedLoginPolicy.maxPerAccount} failed logins of one account in ${failedLoginPolicy.windowSeconds / 60} minutes; after that no password is checked, right or wrong.
  ${failedLoginPolicy.maxPerAddress} from one address in the same time. Neither limit counts an account on a browser that it has logged in with
  before: there the limit is ${failedLoginPolicy.maxPerKnownDevice} in the same time, whatever is tried elsewhere.
- ${secondFactorPolicy.maxCodes} wrong codes of one account in ${secondFactorPolicy.windowSeconds / 60} minutes, and ${secondFactorPolicy.maxCodesPerDay} in a day, of an authenticator app or for recovery. A browser that
  it has logged in with before has the same limits of its own, whatever is tried elsewhere. The owner gets a mail at the
  tenth wrong code of a day, one a day. An account has up to ${secondFactorPolicy.maxPasskeys} passkeys, and ${secondFactorPolicy.recoveryCodes} recovery codes at a time.
- Requests that every page makes by itself (the account's state, a session's renewal and end, a voice token) are answered
  ${pageRequestsPerMinute} times a minute for one address, each counted separately.
- Mails are counted before anything checks whether the address has an account, so the answer is always the same.
`
}

const kindTitles: Readonly<Record<BudgetKind, string>> = {
  brief_free_call: 'Free calls kept',
  free_call: 'Free calls',
  test_call: 'Test calls',
  answer_unheard: 'Calls without their caller',
  unanswered_ring: 'Unanswered calls',
  unanswered_ring_paid: '- of accounts that have paid',
  verification_call: 'Verification calls',
  line_check: 'Line checks',
  mail: 'Mails by form',
  confirmation_mail: '- confirming',
  confirmation_gap: '- confirming again',
  reset_mail: '- choosing a password',
  notice_mail: 'Notices',
  first_notice: '- whatever others were sent',
  support_mail: 'Messages to support',
  gift_mail: 'Envelopes of booklets',
  gift_redeem: 'Booklets redeemed',
  goodwill: 'Bad calls credited',
  refund: 'Refunds',
}

const scopeTitles: Readonly<Record<BudgetScope, string>> = {
  account: 'Account',
  mailbox: 'Mailbox',
  mail_domain: 'Mail domain',
  device: 'Device',
  address: 'Address',
  network: 'Network',
  allocation: 'IPv6 /32',
  account_to_callee: 'Account to a number',
  callee: 'Number',
  recipient: 'E-mail address',
  card: 'Card',
  prefix: 'Prefix',
  everyone: 'Everyone',
}

const kindNotes = [
  '- Free calls kept are answered ones under 10 s, or cut by our restart: the free call stays available, and what it cost us counts.',
  '- Calls without their caller are charged ones that a SIP carrier bills, and in which nothing was heard of the caller after the answer.',
  '  They end within 3 s. Within the bounds they may be refunded as bad calls; beyond its own bound an account cannot call.',
  '- Unanswered calls count while they ring and when nobody answered. The first row is for accounts that never paid.',
  '- Mails by form are those that anybody can have sent to any address: to confirm it, to choose a password, or to move an account there.',
  '- Notices: of a new login, a copied session, a changed password, a changed second factor, codes that were tried, a deleted',
  '  account; each kind is counted separately. They go only to confirmed addresses. The first ones of a day are sent whatever everyone else was sent.',
  '- Bad calls credited are those that callers can bring about: credited automatically or on a claim, not those that our restart cut. The',
  '  card is the last one that paid for the account, or for a booklet that it redeemed. Beyond the budget, support decides.',
  '- Refunds are those that users press for themselves, in what returns to the card: the provider keeps its fee. Beyond the budget, and',
  '  while a payment is under review, support decides. What an operator refunds, or is refunded after a warning of fraud, does not count.',
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
