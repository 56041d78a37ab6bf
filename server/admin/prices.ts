import { parseTariff } from '#lib/money/tariff.ts'
import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../context.ts'
import { audit } from '../observability/audit.ts'
import { readCostList } from '../tariff/call-costs.ts'
import { type BelowCost, type PriceChange, priceChanges, pricesBelowCost } from '../tariff/price-list.ts'
import { readTariff, writeTariff } from '../tariff/tariff-file.ts'

export interface PriceImport {
  /** Contents of the files: the price list, and our own costs. */
  readonly tariff: string
  readonly costs: string | null
  readonly apply: boolean
  readonly reason: string
  readonly actor: string
}

export interface PriceComparison {
  readonly changes: readonly PriceChange[]
  /** Null where no costs were given. */
  readonly belowCost: readonly BelowCost[] | null
  readonly applied: boolean
}

/**
 * Pages and servers use the old prices until they are rebuilt and restarted.
 * @param file the published price list; `read_only`: this process may not write it, and nothing has changed
 */
export async function importPrices(
  { db, clock }: Services,
  file: string,
  { tariff, costs, apply, reason, actor }: PriceImport,
): Promise<Result<PriceComparison, 'unreadable' | 'missing_reason' | 'read_only'>> {
  const lists = readLists(tariff, costs)
  if (lists === undefined) return failure('unreadable')
  const changes = priceChanges(readTariff(file), lists.tariff)
  const belowCost = lists.costs && pricesBelowCost(lists.tariff, lists.costs)
  if (!apply) return success({ changes, belowCost, applied: false })
  if (reason.trim() === '') return failure('missing_reason')
  try {
    await db.transaction(async tx => {
      await audit(tx, {
        at: clock.now(),
        actor,
        action: 'prices',
        subject: 'tariff',
        detail: { reason: reason.trim(), changes, belowCost },
      })
      writeTariff(file, tariff)
    })
  } catch (error) {
    if (mayNotBeWritten(error)) return failure('read_only')
    throw error
  }
  return success({ changes, belowCost, applied: true })
}

/** In production a release may be read-only for its server, or owned by another user. */
function mayNotBeWritten(error: unknown): boolean {
  return ['EROFS', 'EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))
}

function readLists(tariff: string, costs: string | null) {
  try {
    return { tariff: parseTariff(tariff), costs: costs === null ? null : readCostList(costs) }
  } catch {
    return undefined
  }
}
