import { afterEach, beforeEach, expect, test } from 'vitest'
import { findRate } from '#lib/money/tariff.ts'
import { type MailRequest, reserveMail } from '#server/accounts/registration/mail-budget.ts'
import { startVerification } from '#server/calls/caller-ids/caller-id-verification.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { admitLineCheck } from '#server/calls/placing/line-check.ts'
import { lowBalanceEmail } from '#server/calls/settlement/low-balance-email.ts'
import { defaultCallPolicy, defaultPaymentPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import type { UserRow } from '#server/identity/users.ts'
import {
  type Bound,
  type BudgetKind,
  type Budgets,
  budgetKinds,
  defaultBudgets,
} from '#server/limits/budget-policy.ts'
import { queueNotice } from '#server/mail/queue-email.ts'
import { showReferrals } from '#server/referrals/own-referrals.ts'
import { attribute } from '#server/referrals/referrals.ts'
import { sendSupportMessage } from '#server/support/support.ts'
import type { CallAttempt } from '#server/telephony/port.ts'
import { findBreaches } from '#support/books.ts'
import { createChance } from '#support/storm-chance.ts'
import { addStrangers, insist } from '#support/strangers.ts'
import { createWorld, type World } from '#support/world.ts'
import { deliver, order, passRefundWindow, visa } from '../server/payments/buyer.ts'

/** One day on which everybody who signs up wants to make us ring, call, mail and reward. */
const accounts = 1000
const networks = 200
const mailboxes = 250
const devices = 300
const cards = 60
/** How often each of them tries each thing. */
const rounds = 4
const atOnce = 25
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let world: World
let services: Services
beforeEach(async () => {
  world = await createWorld()
  services = { ...world.services, policy: defaultCallPolicy }
  spent.clear()
})
afterEach(async () => {
  expect(await findBreaches(world.db)).toEqual([])
  await world.close()
})

/** The shipped budgets with less for everyone in a day, so little that the attack reaches it. */
function shrinkBudgets(fractionOf: (kind: BudgetKind) => number): Budgets {
  const shrink = (bound: Bound, fraction: number): Bound =>
    bound.per !== 'everyone'
      ? bound
      : 'maxUses' in bound
        ? { ...bound, maxUses: bound.maxUses * fraction }
        : { ...bound, maxMicroUsd: bound.maxMicroUsd * fraction }
  const shrunk = budgetKinds.map(kind => [
    kind,
    defaultBudgets[kind].map(bound => shrink(bound, fractionOf(kind))),
  ])
  return Object.fromEntries(shrunk) as Budgets
}

interface Attacker {
  readonly user: UserRow
  readonly nth: number
  readonly address: string
  readonly device: string
}

const chance = createChance(17)
const addressOf = (nth: number) => `2001:db8:${(nth % networks).toString(16)}:${nth.toString(16)}::1`
/** A number of their own, verified. */
const numberOf = (nth: number) => `+1415555${String(nth % 10_000).padStart(4, '0')}`
const emailOf = (nth: number) => `box.${nth % mailboxes}+${nth}@gmail.com`
/** Of many prices, some under one prefix; none is a test number of the exchange, which no budget counts. */
const targets = [
  (nth: number) => `+1212556${String(nth % 10_000).padStart(4, '0')}`,
  (nth: number) => `+1473408${String(nth % 10_000).padStart(4, '0')}`,
  (nth: number) => `+4477009${String(nth % 100_000).padStart(5, '0')}`,
  (nth: number) => `+9198765${String(nth % 100_000).padStart(5, '0')}`,
  (nth: number) => `+5255550${String(nth % 100_000).padStart(5, '0')}`,
  (nth: number) => `+4930123${String(nth % 10_000).padStart(4, '0')}`,
  (nth: number) => `+6421123${String(nth % 10_000).padStart(4, '0')}`,
  (nth: number) => `+2348031${String(nth % 1_000_000).padStart(6, '0')}`,
]

/** What it came to: uses, or micro-dollars. */
const spent = new Map<BudgetKind, { total: number; largest: number }>()
function count(kind: BudgetKind, amount: number): void {
  const { total, largest } = spent.get(kind) ?? { total: 0, largest: 0 }
  spent.set(kind, { total: total + amount, largest: Math.max(largest, amount) })
}

function dailyBudget(budgets: Budgets, kind: BudgetKind): number {
  const bound = budgets[kind].find(({ per }) => per === 'everyone')
  if (bound === undefined) throw new Error(`${kind} has no daily budget`)
  return 'maxUses' in bound ? bound.maxUses : bound.maxMicroUsd
}

async function call({ user }: Attacker): Promise<void> {
  await ring({ userId: user.id, to: chance.pick(targets)(Math.floor(chance.upTo(300))), callerId: undefined })
}

/** To a number of one's own. */
async function testCall({ user, nth }: Attacker): Promise<void> {
  await ring({ userId: user.id, to: numberOf(nth), callerId: undefined, purpose: 'test' })
}

async function ring(attempt: CallAttempt): Promise<void> {
  const control = createCallControl(services)
  const placed = await control.place(attempt)
  if (placed.kind === 'refuse') return
  const [row] = await world.db.query<{ rate: number; free: boolean }>(
    'select rate, free from call where id = $1',
    [placed.callId],
  )
  const answers = chance.happens(0.5)
  if (answers) {
    await control.report({ kind: 'answered', callId: placed.callId })
    if (row?.free === true)
      count(attempt.purpose === 'test' ? 'test_call' : 'free_call', (placed.limitMs / minuteMs) * row.rate)
  } else if (attempt.purpose !== 'test') count('unanswered_ring', 1)
  const answeredMs = answers ? placed.limitMs : null
  await control.report({
    kind: 'ended',
    callId: placed.callId,
    answeredMs,
    end: answers ? 'limit' : 'no_answer',
  })
}

async function verify({ user, address, device }: Attacker): Promise<void> {
  const number = chance.pick(targets)(Math.floor(chance.upTo(300)))
  const asked = await startVerification(services, user.id, number, { address, device })
  if (!asked.ok) return
  count('verification_call', findRate(services.tariff, number)?.microUsdPerMinute ?? 0)
}

async function checkLine({ user }: Attacker): Promise<void> {
  if (await admitLineCheck(services, user.id)) count('line_check', 1)
}

async function mail({ user, address }: Attacker): Promise<void> {
  const kind = chance.pick(['registration', 'confirmation', 'reset', 'change'] as const)
  const request: MailRequest = { kind, email: user.email, address, userId: user.id }
  if ((await reserveMail(services, request)) !== undefined) return
  count(kind === 'reset' ? 'reset_mail' : 'confirmation_mail', 1)
}

const noticeKinds = ['new-sign-in', 'replay', 'password-changed', 'second-factor'] as const

async function notify({ user }: Attacker): Promise<void> {
  const kind = chance.pick(noticeKinds)
  const name = services.random.uuid()
  const template = () => lowBalanceEmail('https://farline.example', 0)
  await world.db.transaction(tx =>
    queueNotice(tx, services, { kind, userId: user.id, to: user.email, name, template }),
  )
  const [queued] = await world.db.query('select 1 from job where key = $1', [`mail:${kind}:${name}`])
  if (queued !== undefined) count('notice_mail', 1)
}

async function writeToSupport({ user, address }: Attacker): Promise<void> {
  const message = {
    formId: services.random.uuid().replaceAll('-', ''),
    name: 'Somebody',
    email: user.email,
    about: 'other',
    message: 'Please answer this.',
  } as const
  if ((await sendSupportMessage(services, message, address)).ok) count('support_mail', 1)
}

/** Lets every account try everything, again and again within one day. */
async function attack(
  ways = [call, testCall, verify, checkLine, mail, notify, writeToSupport],
): Promise<void> {
  world.clock.advance(dayMs - (world.clock.now().getTime() % dayMs))
  const origin = (nth: number) => ({ address: addressOf(nth), device: `device-${nth % devices}` })
  const users = await addStrangers(world, accounts, nth => ({ email: emailOf(nth), ...origin(nth) }))
  const attackers = users.map((user, nth) => ({ user, nth, ...origin(nth) }))
  for (const { user, nth } of attackers)
    await world.db.query('insert into caller_id values ($1, $2, $3)', [
      user.id,
      numberOf(nth),
      world.clock.now(),
    ])
  for (let round = 0; round < rounds; round += 1) {
    const acts = attackers.flatMap(attacker => ways.map(act => () => act(attacker)))
    for (let begin = 0; begin < acts.length; begin += atOnce)
      await Promise.all(acts.slice(begin, begin + atOnce).map(act => insist(act)))
    world.clock.advance(2 * 3600_000)
  }
  console.log(Object.fromEntries(spent))
}

/**
 * What has a bound for everyone. The first notices of a mailbox have none: their bound is how many mailboxes there are. Calls that
 * somebody pays for have a test of their own.
 */
const attacked = budgetKinds.filter(
  kind =>
    kind !== 'notice_mail' &&
    kind !== 'answer_unheard' &&
    defaultBudgets[kind].some(({ per }) => per === 'everyone'),
)

function expectNoticesWithin(budgets: Budgets): void {
  const [first] = budgets.first_notice.flatMap(bound =>
    bound.per === 'mailbox' && 'maxUses' in bound ? bound.maxUses : [],
  )
  const firsts = mailboxes * noticeKinds.length * (first ?? 0)
  expect(spent.get('notice_mail')?.total).toBeLessThanOrEqual(dailyBudget(budgets, 'notice_mail') + firsts)
}

test('1,000 accounts from 200 networks that share mailboxes, devices and cards never spend more than the budgets of a day', async () => {
  await attack()
  for (const kind of attacked) {
    const { total, largest } = spent.get(kind) ?? { total: 0, largest: 0 }
    expect(total, kind).toBeGreaterThan(0)
    expect(total, kind).toBeLessThanOrEqual(dailyBudget(defaultBudgets, kind) + largest)
  }
  expectNoticesWithin(defaultBudgets)
})

/** That the attack has spent all that the day gives, and no unit more. */
function expectSpent(budgets: Budgets, kind: BudgetKind): void {
  const { total, largest } = spent.get(kind) ?? { total: 0, largest: 0 }
  expect(total, kind).toBeLessThanOrEqual(dailyBudget(budgets, kind) + largest)
  expect(total, kind).toBeGreaterThanOrEqual(dailyBudget(budgets, kind) - largest)
}

test('attackers who could spend more than a day allows stop at its budget', async () => {
  const budgets = shrinkBudgets(kind => (kind === 'unanswered_ring' ? 1 : 0.05))
  services = { ...services, policy: { ...defaultCallPolicy, budgets } }
  await attack()
  for (const kind of attacked) if (kind !== 'unanswered_ring') expectSpent(budgets, kind)
  expectNoticesWithin(budgets)
})

test('nor do they ring more telephones in vain than a day allows', async () => {
  // Whoever never paid rings with a free call, so those must not run out first.
  const budgets = shrinkBudgets(kind => (kind === 'unanswered_ring' ? 0.02 : 1))
  services = { ...services, policy: { ...defaultCallPolicy, budgets } }
  await attack([call])
  expectSpent(budgets, 'unanswered_ring')
})

test('nor do those who pay, and are never heard, get more back than a day allows', async () => {
  const budgets = shrinkBudgets(kind => (kind === 'answer_unheard' ? 0.2 : 1))
  services = { ...services, policy: { ...defaultCallPolicy, budgets } }
  const callers = await Promise.all(Array.from({ length: accounts }, () => world.addUser({ credit: 25 })))
  const control = createCallControl(services)
  const callUnheard = async ({ id }: UserRow) => {
    const to = chance.pick(targets)(Math.floor(chance.upTo(300)))
    const placed = await control.place({ userId: id, to, callerId: undefined })
    if (placed.kind === 'refuse') return
    const { callId } = placed
    await control.report({ kind: 'answered', callId })
    await control.report({
      ...{ kind: 'ended', callId, answeredMs: 2800, end: 'connection_lost', callerHeard: false },
    })
    const [call] = await world.db.query<{ credited: number }>('select credited from call where id = $1', [
      callId,
    ])
    count('answer_unheard', call?.credited ?? 0)
  }
  for (let round = 0; round < rounds; round += 1)
    for (let begin = 0; begin < accounts; begin += atOnce)
      await Promise.all(callers.slice(begin, begin + atOnce).map(caller => insist(() => callUnheard(caller))))
  expectSpent(budgets, 'answer_unheard')
})

test('nor do they earn more rewards than they have cards and mailboxes, and the month of a referrer allows', async () => {
  const referrers = await Promise.all(Array.from({ length: 5 }, () => world.addUser()))
  const friends = await addStrangers(world, 200, nth => ({
    email: emailOf(10_000 + nth),
    address: addressOf(nth),
  }))
  for (const [nth, friend] of friends.entries()) {
    const referrer = referrers[nth % referrers.length] as UserRow
    const code = (await showReferrals(services, referrer.id))?.link.split('?ref=')[1] ?? ''
    await world.db.transaction(tx => attribute(tx, { userId: friend.id, code, at: world.clock.now() }))
    const one = await order(world, friend.id, 10)
    const card = { ...visa, fingerprint: `fp-attack-${nth % cards}` }
    await deliver(world, one.paid({ card }))
    if (chance.happens(0.5)) await deliver(world, one.refund(10))
  }
  await passRefundWindow(world)
  const given = await world.db.query<{ referrer_id: string; count: number; given: number }>(
    `select referrer_id, count(*)::int as count, sum(given)::bigint as given from referral where given > 0 group by referrer_id`,
  )
  const { monthlyMicroUsd } = defaultPaymentPolicy.referral
  for (const row of given) expect(row.given).toBeLessThanOrEqual(monthlyMicroUsd)
  const rewards = given.reduce((sum, row) => sum + row.count, 0)
  expect(rewards).toBeGreaterThan(0)
  expect(rewards).toBeLessThanOrEqual(Math.min(cards, mailboxes))
  const [refunded] = await world.db.query<{ count: number }>(
    `select count(*)::int as count from referral join payment on payment.id = payment_id where given > 0 and refunded > 0`,
  )
  expect(refunded?.count).toBe(0)
})
