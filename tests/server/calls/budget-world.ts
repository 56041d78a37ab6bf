import { createCallControl } from '#server/calls/carrier/control.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import type { UserRow } from '#server/identity/users.ts'
import { type BudgetKind, type BudgetScope, defaultBudgets } from '#server/limits/budget-policy.ts'
import type { Observation } from '#server/observability/port.ts'
import type { Placement } from '#server/telephony/port.ts'
import { addStrangers, type Stranger } from '#support/strangers.ts'
import { createWorld, type World } from '#support/world.ts'

export const hourMs = 3600_000
export const dayMs = 24 * hourMs

/** Nobody has anything in common with anybody. */
export const unrelated = (nth: number, group: number): Stranger => ({
  email: `stranger@mail-${group}-${nth}.example`,
  address: `2001:${(group * 1000 + nth).toString(16)}:1::1`,
})

/** Calls that we pay for without being paid, under the limits and budgets as they are sold. */
export interface BudgetWorld extends World {
  /** Each group of accounts has its own networks. */
  strangers(count: number, describe: (nth: number, group: number) => Stranger): Promise<UserRow[]>
  place(user: UserRow, to: string, by?: Services): Promise<Placement>
  /** The call ends, after an answer or, with null, without one. */
  end(callId: string, answeredMs: number | null): Promise<void>
  /** What counters of a scope hold, in all open windows. */
  used(kind: BudgetKind, per: BudgetScope): Promise<number>
  /** Bounds that turned a call away in this test. */
  refusedPer(): Set<string>
  /** The services as if these bounds did not exist. */
  without(kind: BudgetKind, ...scopes: BudgetScope[]): Services
  /** Settles what runs, and gives the next test a day and the windows of months of its own. */
  endTest(): Promise<void>
}

export async function createBudgetWorld(): Promise<BudgetWorld> {
  const seen: Observation[] = []
  const world = await createWorld()
  const services: Services = {
    ...world.services,
    policy: defaultCallPolicy,
    observe: one => seen.push(one),
  }
  const control = createCallControl(services)
  let groups = 0
  return {
    ...world,
    services,
    strangers: (count, describe) => {
      groups += 1
      const group = groups
      return addStrangers(world, count, nth => describe(nth, group))
    },
    place: ({ id }, to, by = services) =>
      createCallControl(by).place({ userId: id, to, callerId: undefined }),
    end: async (callId, answeredMs) => {
      if (answeredMs !== null) await control.report({ kind: 'answered', callId })
      const how = answeredMs === null ? 'no_answer' : 'caller_hung_up'
      await control.report({ kind: 'ended', callId, answeredMs, end: how })
    },
    used: async (kind, per) => {
      const [row] = await world.db.query<{ used: number }>(
        `select coalesce(sum(used), 0)::bigint as used from budget_counter where kind = $1 and scope = $2 and ends_at > $3`,
        [kind, per, world.clock.now()],
      )
      return row?.used ?? 0
    },
    refusedPer: () =>
      new Set(seen.flatMap(one => (one.kind === 'budget_refused' ? [`${one.budget} ${one.per}`] : []))),
    without: (kind, ...scopes) => {
      const bounds = defaultBudgets[kind].filter(({ per }) => !scopes.includes(per))
      return { ...services, policy: { ...defaultCallPolicy, budgets: { ...defaultBudgets, [kind]: bounds } } }
    },
    endTest: async () => {
      await reconcileCalls(world.services, 0)
      world.clock.advance(40 * dayMs)
      seen.length = 0
    },
  }
}
