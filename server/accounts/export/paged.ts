import type { Db } from '../../db/port.ts'

/** One row of an exported file: times in ISO 8601, amounts as written by `money`. */
export type ExportRow = Readonly<Record<string, string | number | boolean | null>>

/** Rows per query: few enough to serve other requests in between. */
export const pageSize = 250

const nilUuid = '00000000-0000-0000-0000-000000000000'

/** The pair is unique among a user's rows. */
interface Keyed {
  readonly sort_at: Date
  readonly sort_id: string
}

/**
 * Reads rows page by page, oldest first. Nothing stays open between pages, however slow the reader.
 * @param sql selects `sort_at` and `sort_id`; `$1` is the user, and `paging` is the last condition
 * @param until excludes later rows, so that the export ends even while the account is in use
 */
export async function* paged<Row extends Keyed>(
  db: Db,
  sql: string,
  userId: string,
  until: Date,
  present: (row: Row) => ExportRow,
): AsyncGenerator<readonly ExportRow[]> {
  let [at, id] = [new Date(0), nilUuid]
  for (;;) {
    const rows = await db.query<Row>(sql, [userId, at, id, until, pageSize])
    if (rows.length > 0) yield rows.map(present)
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    ;[at, id] = [last.sort_at, last.sort_id]
  }
}

/**
 * SQL conditions and order for `paged`.
 * @param at time column, which should be indexed
 * @param id column that orders rows of the same time
 */
export function paging(at: string, id: string, kind: 'text' | 'uuid' = 'uuid'): string {
  return `(${at}, ${id}) > ($2::timestamptz, $3::${kind}) and ${at} <= $4 order by ${at}, ${id} limit $5`
}
