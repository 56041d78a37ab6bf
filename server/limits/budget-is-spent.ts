import type { BudgetSpent } from './reserve.ts'

/** Rolls a transaction back that finds its budget spent: budgets are reserved last, after every other lock. */
export class BudgetIsSpent extends Error {
  readonly spent: BudgetSpent

  constructor(spent: BudgetSpent) {
    super(`the budget ${spent.kind} is spent`)
    this.name = 'BudgetIsSpent'
    this.spent = spent
  }
}
