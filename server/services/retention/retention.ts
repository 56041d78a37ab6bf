import type { Services } from '../context.ts'
import { clearDeletedAccounts } from './clear-deleted.ts'
import { dropCalls } from './drop-calls.ts'
import { prune } from './prune.ts'

/** The rest between two turns: what is due to go is gone within so long. Milliseconds. */
export const retentionPauseMs = 5 * 60_000

/** A turn of forgetting (decision 29). Any number of processes may do it: none waits for another, nothing is done twice. */
export async function runRetention(services: Services): Promise<void> {
  await clearDeletedAccounts(services)
  await dropCalls(services)
  await prune(services)
}
