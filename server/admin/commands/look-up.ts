import * as z from 'zod/mini'
import { formatBalance, formatCharge } from '#lib/money/money.ts'
import { type Command, minuteOf, onlyArgument, type Typed, unknownAccount } from './command.ts'

const errorTexts = { unknown_account: unknownAccount }

const read = (path: string) => (typed: Typed) => {
  const email = onlyArgument(typed)
  if (email === undefined) return undefined
  return { path, body: { email, actor: typed.actor }, uncertainty: 'what it found' }
}

const account = z.object({
  id: z.string(),
  email: z.string(),
  since: z.string(),
  confirmed: z.boolean(),
  balance: z.number(),
  held: z.number(),
  tier: z.string(),
  canCall: z.boolean(),
  blockedReason: z.nullable(z.string()),
  freeCall: z.string(),
  capPerCall: z.nullable(z.number()),
  capPerMonth: z.nullable(z.number()),
  locked: z.array(z.string()),
  calls: z.number(),
  testCalls: z.number(),
  credited: z.number(),
  payments: z.number(),
  eventName: z.string(),
})

const tierLabels: Readonly<Record<string, string>> = {
  never_paid: 'never paid',
  newly_paid: 'paid recently or little',
  established: 'established',
}

export const userCommand: Command = {
  name: 'user',
  synopsis: 'user <email>',
  does: 'Shows an account: its balance, its trust tier, its own limits, why it is blocked',
  read: read('/user'),
  format(value) {
    const facts = z.parse(account, value)
    const held = facts.held > 0 ? `, of which running calls hold ${formatBalance(facts.held)}` : ''
    return [
      `${facts.email}  ${facts.id}`,
      `  since      ${minuteOf(facts.since)}, address ${facts.confirmed ? 'confirmed' : 'not confirmed'}`,
      `  balance    ${formatBalance(facts.balance)}${held}`,
      `  limits     ${tierLabels[facts.tier] ?? facts.tier}`,
      `  may call   ${facts.canCall ? 'yes' : `no: ${facts.blockedReason ?? 'no reason given'}`}`,
      `  free call  ${facts.freeCall}`,
      `  own caps   ${capsOf(facts)}`,
      `  locked     ${facts.locked.join(' ') || 'nothing'}`,
      `  calls      ${facts.calls}${facts.testCalls > 0 ? `, of which ${facts.testCalls} test` : ''}`,
      `  credited   ${formatCharge(facts.credited)} for bad calls`,
      `  payments   ${facts.payments}`,
      `  in events  ${facts.eventName}`,
    ].join('\n')
  },
  errorTexts,
}

const calls = z.array(
  z.object({
    placedAt: z.string(),
    to: z.string(),
    state: z.string(),
    seconds: z.number(),
    cost: z.number(),
    free: z.boolean(),
    test: z.boolean(),
    credited: z.number(),
  }),
)

export const callsCommand: Command = {
  name: 'calls',
  synopsis: 'calls <email>',
  does: 'Lists the last 20 calls of an account',
  read: read('/calls'),
  format(value) {
    const lines = z
      .parse(calls, value)
      .map(
        ({ placedAt, to, state, seconds, ...call }) =>
          `${minuteOf(placedAt)}  ${to.padEnd(16)}  ${state.padEnd(15)}  ${String(seconds).padStart(5)} s  ${paidFor(call)}`,
      )
    return lines.length === 0 ? 'No calls yet.' : lines.join('\n')
  },
  errorTexts,
}

const payments = z.array(
  z.object({
    id: z.string(),
    at: z.string(),
    kind: z.string(),
    state: z.string(),
    amountMicroUsd: z.number(),
    refunded: z.number(),
    held: z.number(),
    held_for: z.nullable(z.string()),
    card: z.nullable(z.string()),
  }),
)

export const paymentsCommand: Command = {
  name: 'payments',
  synopsis: 'payments <email>',
  does: 'Lists the last 20 payments of an account, with their ids',
  read: read('/payments'),
  format(value) {
    const lines = z.parse(payments, value).map(payment => {
      const parts = [minuteOf(payment.at), payment.id, formatBalance(payment.amountMicroUsd), payment.state]
      if (payment.kind === 'auto_topup') parts.push('auto top-up')
      if (payment.kind === 'gift') parts.push('booklet')
      if (payment.card !== null) parts.push(payment.card)
      if (payment.refunded > 0) parts.push(`refunded ${formatBalance(payment.refunded)}`)
      if (payment.held > 0) {
        const why = payment.held_for === 'card' ? ', a card of several accounts' : ''
        parts.push(`waits for review: ${formatBalance(payment.held)}${why}`)
      }
      return parts.join('  ')
    })
    return lines.length === 0 ? 'No payments yet.' : lines.join('\n')
  },
  errorTexts,
}

function capsOf({ capPerCall, capPerMonth }: z.output<typeof account>): string {
  const caps = [
    ...(capPerCall === null ? [] : [`${formatCharge(capPerCall)} a call`]),
    ...(capPerMonth === null ? [] : [`${formatCharge(capPerMonth)} a month`]),
  ]
  return caps.join(', ') || 'none'
}

function paidFor(call: Pick<z.output<typeof calls>[number], 'free' | 'test' | 'cost' | 'credited'>): string {
  if (call.test) return 'free, test'
  if (call.free) return 'free'
  return `${formatCharge(call.cost)}${call.credited > 0 ? `, credited ${formatCharge(call.credited)}` : ''}`
}
