import type { Services } from '../context.ts'
import type { BudgetSpent } from './reserve.ts'

/** Counts a budget's rejection. Call after the commit. */
export function reportSpent({ observe }: Pick<Services, 'observe'>, { kind, per }: BudgetSpent): void {
  observe?.({ kind: 'budget_refused', budget: kind, per })
}
