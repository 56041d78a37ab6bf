import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { type BudgetSpent, type BudgetUse, type Reservation, release, reserve } from './reserve.ts'

/** What one attempt reserves during the checks of one transaction. */
export interface AttemptBudget {
  /** @returns the exhausted bound; undefined: reserved */
  reserve(use: BudgetUse): Promise<BudgetSpent | undefined>
  held(): Reservation
  /** Returns everything: the attempt is rejected. */
  release(): Promise<void>
  /** Bounds reached during the checks, for `reportSpent` after the commit. */
  readonly spent: readonly BudgetSpent[]
}

export function openAttemptBudget(tx: Db, services: Services): AttemptBudget {
  const spent: BudgetSpent[] = []
  let held: Reservation = []
  return {
    reserve: async use => {
      const reserved = await reserve(tx, services, [use])
      if (!reserved.ok) {
        spent.push(reserved.spent)
        return reserved.spent
      }
      held = [...held, ...reserved.reservation]
      return undefined
    },
    held: () => held,
    release: async () => {
      await release(tx, held)
      held = []
    },
    spent,
  }
}
