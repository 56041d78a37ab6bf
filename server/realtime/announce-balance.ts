import { microUsdToUsd } from '#lib/money/money.ts'
import type { Services } from '../context.ts'
import { findUser } from '../identity/users.ts'

/** Publishes the true balance to the user's open pages (PD-17). @param notice an additional notice for the user */
export async function announceBalance(services: Services, userId: string, notice?: string): Promise<void> {
  const user = await findUser(services.db, userId)
  if (user === undefined) return
  const credits = microUsdToUsd(user.balance)
  services.notifier.balance(userId, notice === undefined ? { credits } : { credits, notice })
}
