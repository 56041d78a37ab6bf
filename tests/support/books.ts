import type { Db } from '#server/db/port.ts'
import type { Breach, BrokenRow } from '#server/ledger/books/check.ts'
import { checks } from '#server/ledger/books/checks.ts'

export type { Breach } from '#server/ledger/books/check.ts'
export { invariants } from '#server/ledger/books/checks.ts'

/** All violated invariants of the books. Also works within a transaction. */
export async function findBreaches(db: Db): Promise<Breach[]> {
  const breaches: Breach[] = []
  for (const { invariant, about, sql } of checks) {
    const rows = await db.query<BrokenRow>(sql(() => 'true'))
    if (rows.length > 0) breaches.push({ invariant, about, rows })
  }
  return breaches
}
