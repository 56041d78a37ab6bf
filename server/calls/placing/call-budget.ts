import { callCostMicroUsd } from '#lib/money/pricing.ts'
import { findRate } from '#lib/money/tariff.ts'
import type { Tier } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { UserRow } from '../../identity/users.ts'
import type { CallerOrigin } from '../../limits/origin.ts'
import {
  type BudgetUse,
  countUse,
  foresee,
  type Reservation,
  release,
  reserve,
  settleCost,
} from '../../limits/reserve.ts'
import {
  accountSubject,
  accountToCalleeSubject,
  calleeSubject,
  personSubjects,
  type Subjects,
} from '../../limits/subjects.ts'
import type { CallRow } from '../rows.ts'
import type { Destination } from './destination.ts'

export interface Ring {
  readonly user: Pick<UserRow, 'id' | 'email'>
  readonly destination: Destination
  readonly origin: CallerOrigin | undefined
}

/** A free call's budget until settlement. @returns undefined for a test number of the exchange, which reaches nobody (PD-20) */
export function freeCallUse(services: Services, ring: Ring, minutes: number): BudgetUse | undefined {
  if (isTest(services, ring)) return undefined
  const costMicroUsd = minutes * ring.destination.rateMicroUsd
  return { kind: 'free_call', subjects: ringSubjects(services, ring), costMicroUsd }
}

/** The same for a test call. Test numbers use it too, since an account's test calls are limited wherever they go. */
export function testCallUse(services: Services, ring: Ring, minutes: number): BudgetUse {
  const costMicroUsd = isTest(services, ring) ? 0 : minutes * ring.destination.rateMicroUsd
  return { kind: 'test_call', subjects: ringSubjects(services, ring), costMicroUsd }
}

/** Budget use of the ring, returned once somebody answers. Undefined as for a free call. */
export function ringUse(services: Services, ring: Ring, tier: Tier): BudgetUse | undefined {
  if (isTest(services, ring)) return undefined
  const kind = tier === 'never_paid' ? 'unanswered_ring' : 'unanswered_ring_paid'
  return { kind, subjects: ringSubjects(services, ring), costMicroUsd: 0 }
}

/**
 * Counts an answered free call that is to stay available (ADR-63), for the subjects whose free call it was. Comes before
 * `settleCallBudget`: locks are taken in alphabetical order of kind.
 * @returns whether there was room
 */
export async function countBriefFreeCall(
  tx: Db,
  services: Services,
  call: Pick<CallRow, 'user_id' | 'budget' | 'answered_ms' | 'rate'>,
): Promise<boolean> {
  const held = (call.budget ?? []).filter(({ kind, scope }) => kind === 'free_call' && scope !== 'everyone')
  const subjects: Subjects = {
    ...Object.fromEntries(held.map(({ scope, subject }) => [scope, subject])),
    account: accountSubject(services, call.user_id),
  }
  // A test number of the exchange reaches nobody and costs nothing.
  const costMicroUsd = call.budget === null ? 0 : callCostMicroUsd(call.answered_ms ?? 0, call.rate)
  const reserved = await reserve(tx, services, [{ kind: 'brief_free_call', subjects, costMicroUsd }])
  return reserved.ok
}

/**
 * Counts a charged call in which the caller was never heard: its carrier billed it (ADR-75). Comes before `settleCallBudget` and the
 * credits: locks are taken in alphabetical order of kind.
 * @returns whether there was room, so that it may be refunded
 */
export async function countSilentAnswer(
  tx: Db,
  services: Services,
  { user_id: userId, to_number: to, cost: costMicroUsd }: Pick<CallRow, 'user_id' | 'to_number' | 'cost'>,
): Promise<boolean> {
  const account = accountSubject(services, userId)
  const prefix = findRate(services.tariff, to)?.prefix
  const subjects: Subjects = prefix === undefined ? { account } : { account, prefix }
  const use: BudgetUse = { kind: 'answer_unheard', subjects, costMicroUsd }
  const { ok } = await reserve(tx, services, [use])
  // The account's next calls depend on all of them.
  if (!ok) await countUse(tx, services, use)
  return ok
}

/** Whether an account made more calls without being heard than it may in a day. What others did with theirs does not matter. */
export async function wasOftenUnheard(tx: Db, services: Services, userId: string): Promise<boolean> {
  const subjects = { account: accountSubject(services, userId) }
  const use: BudgetUse = { kind: 'answer_unheard', subjects, costMicroUsd: 0, beyondEveryone: true }
  return (await foresee(tx, services, use)) !== undefined
}

/**
 * Returns the unused part: the free call if unanswered; if answered, the ring and the unused part of the reserved worth.
 * @param kept the free call stays available: its uses are returned, its cost is not
 */
export async function settleCallBudget(
  tx: Db,
  held: Reservation,
  { answered_at, answered_ms, rate }: Pick<CallRow, 'answered_at' | 'answered_ms' | 'rate'>,
  kept: boolean,
): Promise<void> {
  const isRing = ({ kind }: Reservation[number]) =>
    kind === 'unanswered_ring' || kind === 'unanswered_ring_paid'
  const rings = held.filter(isRing)
  const free = held.filter(one => !isRing(one))
  if (answered_at === null) return release(tx, free)
  await settleCost(tx, free, callCostMicroUsd(answered_ms ?? 0, rate), kept)
  await release(tx, rings)
}

/** Calls from this machine, and to numbers that reach nobody, count only for their account and the day. */
function ringSubjects(services: Services, ring: Ring): Subjects {
  const { user, destination, origin } = ring
  if (origin?.local === true || isTest(services, ring)) return { account: accountSubject(services, user.id) }
  return {
    ...personSubjects(services, user, origin),
    account_to_callee: accountToCalleeSubject(services, user.id, destination.to),
    callee: calleeSubject(services, destination.to),
    prefix: destination.prefix,
  }
}

function isTest({ telephony }: Services, { destination }: Ring): boolean {
  return telephony.isTestNumber(destination.to)
}
