import { microUsdToUsd } from '#lib/rules/money.ts'
import type { Services } from './context.ts'
import { findUser } from './users.ts'

/** Pushes the true balance to the user's open pages (decision 17). */
export async function announceBalance(services: Services, userId: string): Promise<void> {
  const user = await findUser(services.db, userId)
  if (user !== undefined) services.notifier.balance(userId, { credits: microUsdToUsd(user.balance) })
}
