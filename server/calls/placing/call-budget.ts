import { callCostMicroUsd } from '#lib/money/pricing.ts'
import type { Tier } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { UserRow } from '../../identity/users.ts'
import type { CallerOrigin } from '../../limits/origin.ts'
import { type BudgetUse, type Reservation, release, settleCost } from '../../limits/reserve.ts'
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

/** Returns the unused part: the free call if unanswered; if answered, the ring and the unused part of the reserved worth. */
export async function settleCallBudget(
  tx: Db,
  held: Reservation,
  { answered_at, answered_ms, rate }: Pick<CallRow, 'answered_at' | 'answered_ms' | 'rate'>,
): Promise<void> {
  const isRing = ({ kind }: Reservation[number]) =>
    kind === 'unanswered_ring' || kind === 'unanswered_ring_paid'
  const rings = held.filter(isRing)
  const free = held.filter(one => !isRing(one))
  if (answered_at === null) return release(tx, free)
  await settleCost(tx, free, callCostMicroUsd(answered_ms ?? 0, rate))
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
