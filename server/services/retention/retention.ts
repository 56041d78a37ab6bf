import type { Services } from '../context.ts'
import { clearDeletedAccounts } from './clear-deleted.ts'
import { dropCalls } from './drop-calls.ts'
import { isolated } from './isolated.ts'
import { prune } from './prune.ts'

/** The rest between two turns: what is due to go is gone within so long. Milliseconds. */
export const retentionPauseMs = 5 * 60_000

/**
 * A turn of forgetting (decision 29). Any number of processes may do it: none waits for another, nothing is done twice. What
 * fails, down to one account or one table, is logged, and the rest is done all the same.
 */
export async function runRetention(services: Services): Promise<void> {
  await isolated(services, { step: 'deleted accounts' }, () => clearDeletedAccounts(services))
  await dropCalls(services)
  await prune(services)
}
