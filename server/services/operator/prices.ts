import { failure, type Result, success } from '#lib/result.ts'
import {
  type BelowCost,
  type PriceChange,
  parseCosts,
  priceChanges,
  pricesBelowCost,
} from '#lib/rules/price-list.ts'
import { parseTariff } from '#lib/rules/tariff.ts'
import { readTariff, writeTariff } from '../../tariff-file.ts'
import type { Services } from '../context.ts'
import { audit } from './audit.ts'

export interface PriceImport {
  /** The price list and what calls cost us, as the files that they are in. */
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
 * Says what a price list changes of the published one, and puts it in its place if it is to be applied. Pages are built from
 * that file and a server reads it when it starts, so both go on with the old prices until they are built and started anew.
 * @param file the published price list; `read_only` where this process may not write it, and then nothing has happened
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

/** A release in production is read-only for its server, or another user's. */
function mayNotBeWritten(error: unknown): boolean {
  return ['EROFS', 'EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))
}

function readLists(tariff: string, costs: string | null) {
  try {
    return { tariff: parseTariff(tariff), costs: costs === null ? null : parseCosts(costs) }
  } catch {
    return undefined
  }
}
