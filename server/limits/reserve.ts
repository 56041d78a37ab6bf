// @vocabulary amount: in the unit beside it; running calls have it stored under this name.
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { type Bound, type BudgetKind, type BudgetScope, budgetAlertShare } from './budget-policy.ts'
import {
  addUses,
  type Counted,
  type CounterUse,
  foreseeUses,
  returnUses,
  type UseToReturn,
} from './counters.ts'
import type { Subjects } from './subjects.ts'

type Tools = Pick<Services, 'clock' | 'policy' | 'log'>

export interface BudgetUse {
  readonly kind: BudgetKind
  readonly subjects: Subjects
  /** Estimated micro-dollars; 0 where only uses are counted. */
  readonly costMicroUsd: number
  /** Counted in the overall budget, but not rejected by it, only by its own bounds. */
  readonly beyondEveryone?: boolean
}

/** What was reserved, in JSON until settled. `amount`, in `unit`, keeps its name: running calls have it stored. */
export type Reservation = readonly (Omit<UseToReturn, 'quantity'> & {
  readonly amount: number
  readonly unit: 'uses' | 'micro_usd'
})[]

/** The exhausted bound; of several, the one that reopens last. */
export interface BudgetSpent {
  readonly kind: BudgetKind
  readonly per: BudgetScope
  readonly windowSeconds: number
  /** From the policy: uses, or micro-dollars. */
  readonly max: number
  /** Until there is room again; min 1. */
  readonly waitMs: number
}

export type Reserved =
  | { readonly ok: true; readonly reservation: Reservation }
  | { readonly ok: false; readonly spent: BudgetSpent }

/**
 * Reserves all uses or none, and locks their counters until the transaction ends. Several calls in one transaction must
 * come in alphabetical order of kind, which is the lock order.
 */
export async function reserve(tx: Db, tools: Tools, uses: readonly BudgetUse[]): Promise<Reserved> {
  const now = tools.clock.now()
  const counters = countersOf(tools, uses, now)
  // Checks without a lock first: most rejections need not make others wait.
  const foreseen = longestWait(await foreseeUses(tx, counters, now), now)
  if (foreseen !== undefined) return { ok: false, spent: foreseen }
  const counted = await addUses(tx, counters, now)
  const spent = longestWait(counted, now)
  const reservation = counted.map(({ kind, scope, windowSeconds, subject, quantity, unit, endsAt }) => ({
    ...{ kind, scope, windowSeconds, subject, amount: quantity, unit },
    endsAt: endsAt.toISOString(),
  }))
  if (spent !== undefined) {
    await release(tx, reservation)
    return { ok: false, spent }
  }
  for (const use of counted) warnIfScarce(tools, use)
  return { ok: true, reservation }
}

/** The bound that a use would exceed now; reserves nothing. */
export async function foresee(db: Db, tools: Tools, use: BudgetUse): Promise<BudgetSpent | undefined> {
  const now = tools.clock.now()
  return longestWait(await foreseeUses(db, countersOf(tools, [use], now), now), now)
}

/**
 * What the bounds of a use still allow; reserves nothing.
 * @param windowSeconds the bounds whose uses are counted; shorter ones only delay the next use
 * @returns `max` and `left` of the bound with the fewest left; `waitMs`: until the next use is possible, 0 for now
 */
export async function remainingUses(
  db: Db,
  tools: Tools,
  use: BudgetUse,
  windowSeconds: number,
): Promise<{ readonly max: number; readonly left: number; readonly waitMs: number }> {
  const now = tools.clock.now()
  const counted = await foreseeUses(db, countersOf(tools, [use], now), now)
  const [scarcest] = counted
    .filter(one => one.unit === 'uses' && one.windowSeconds === windowSeconds)
    .map(({ max, used, quantity }) => ({ max, left: Math.max(0, max - (used - quantity)) }))
    .sort((one, other) => one.left - other.left)
  if (scarcest === undefined) throw new Error(`${use.kind} has no bound of ${windowSeconds} s`)
  const spent = longestWait(counted, now)
  return { ...scarcest, waitMs: spent?.waitMs ?? 0 }
}

/** Counts a use regardless of bounds. */
export async function countUse(tx: Db, tools: Tools, use: BudgetUse): Promise<void> {
  const now = tools.clock.now()
  await addUses(tx, countersOf(tools, [use], now), now)
}

/** Counts a budget's rejection. Call after the commit. */
export function reportSpent({ observe }: Pick<Services, 'observe'>, { kind, per }: BudgetSpent): void {
  observe?.({ kind: 'budget_refused', budget: kind, per })
}

export async function release(tx: Db, reservation: Reservation): Promise<void> {
  await returnUses(tx, reservation.map(toReturn))
}

/** Returns what was reserved for a use whose reservation is not kept, to the windows that are open now. */
export async function returnUse(tx: Db, tools: Tools, use: BudgetUse): Promise<void> {
  const counters = countersOf(tools, [use], tools.clock.now())
  await returnUses(
    tx,
    counters.map(({ kind, scope, windowSeconds, subject, quantity }) => ({
      ...{ kind, scope, windowSeconds, subject, quantity },
      endsAt: null,
    })),
  )
}

function toReturn({ amount: quantity, ...use }: Reservation[number]): UseToReturn {
  return { ...use, quantity }
}

/**
 * Returns the unused part of a reserved cost. One statement, so that counters are locked in their order.
 * @param usesReturned whether the uses are returned as well, or stay counted
 */
export async function settleCost(
  tx: Db,
  reservation: Reservation,
  costMicroUsd: number,
  usesReturned: boolean,
): Promise<void> {
  const unused = ({ unit, amount }: Reservation[number]) => {
    if (unit === 'micro_usd') return amount - costMicroUsd
    return usesReturned ? amount : 0
  }
  await returnUses(
    tx,
    reservation
      .map(one => ({ ...toReturn(one), quantity: unused(one) }))
      .filter(({ quantity }) => quantity > 0),
  )
}

type BoundUse = CounterUse & {
  readonly kind: BudgetKind
  readonly scope: BudgetScope
  readonly unit: 'uses' | 'micro_usd'
  /** Counted only; never rejects. */
  readonly holdsNobody: boolean
}

function countersOf({ policy }: Tools, uses: readonly BudgetUse[], now: Date): BoundUse[] {
  return uses.flatMap(({ kind, subjects, costMicroUsd, beyondEveryone }) =>
    policy.budgets[kind].flatMap(bound => {
      const { per: scope, windowSeconds } = bound
      const subject = scope === 'everyone' ? '' : subjects[scope]
      if (subject === undefined) return []
      const holdsNobody = scope === 'everyone' && beyondEveryone === true
      const counter = { kind, scope, windowSeconds, subject, holdsNobody, endsAt: endOfWindow(bound, now) }
      return 'maxUses' in bound
        ? { ...counter, unit: 'uses', quantity: 1, max: bound.maxUses }
        : { ...counter, unit: 'micro_usd', quantity: costMicroUsd, max: bound.maxMicroUsd }
    }),
  )
}

/** Prefix and overall bounds end with the UTC day; others one window from now. */
function endOfWindow({ per, windowSeconds }: Bound, now: Date): Date {
  const windowMs = windowSeconds * 1000
  const nowMs = now.getTime()
  if (per !== 'prefix' && per !== 'everyone') return new Date(nowMs + windowMs)
  return new Date((Math.floor(nowMs / windowMs) + 1) * windowMs)
}

function longestWait(counted: readonly Counted<BoundUse>[], now: Date): BudgetSpent | undefined {
  const [last] = counted
    .filter(({ used, max, holdsNobody }) => used > max && !holdsNobody)
    .sort((one, other) => other.endsAt.getTime() - one.endsAt.getTime())
  if (last === undefined) return undefined
  const { kind, scope: per, windowSeconds, max, endsAt } = last
  return { kind, per, windowSeconds, max, waitMs: Math.max(1, endsAt.getTime() - now.getTime()) }
}

/** Warns once per day and kind, at the use that crosses the threshold. */
function warnIfScarce({ log }: Tools, { kind, scope, used, quantity, max }: Counted<BoundUse>): void {
  const mark = max * budgetAlertShare
  if (scope !== 'everyone' || used < mark || used - quantity >= mark) return
  log.warn({ budget: kind, used, max }, 'most of a daily budget is used up')
}
