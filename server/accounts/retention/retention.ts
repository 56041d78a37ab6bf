import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { clearDeletedAccounts } from './clear-deleted.ts'
import { dropCalls } from './drop-calls.ts'
import { forgetGiftTexts } from './forget-gift-texts.ts'
import { isolated } from './isolated.ts'
import { prune } from './prune.ts'

/** Pause between runs, in milliseconds: the max delay before data due for removal is removed. */
export const retentionPauseMs = 5 * minuteMs

/** Runs retention (ADR-29), in any number of processes. A failed part is logged and does not stop the rest. */
export async function runRetention(services: Services): Promise<void> {
  await isolated(services, { step: 'deleted accounts' }, () => clearDeletedAccounts(services))
  await dropCalls(services)
  await prune(services)
  await forgetGiftTexts(services)
}
