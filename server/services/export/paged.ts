import type { Db } from '../../db/port.ts'

/** What a file of the export holds in a line: times in ISO 8601, money as `money` writes it. */
export type ExportRow = Readonly<Record<string, string | number | boolean | null>>

/** Rows that are read at once: few enough that other requests are served in between. */
export const pageSize = 250

const nilUuid = '00000000-0000-0000-0000-000000000000'

/** What each row is found again by: no two of a user's have both. */
interface Keyed {
  readonly sort_at: Date
  readonly sort_id: string
}

/**
 * Reads rows page by page, oldest first, and holds nothing open between two pages, however slowly they are taken.
 * @param sql with `sort_at` and `sort_id`; `$1` is the user, then whatever `paging` needs, which is its last condition
 * @param until younger rows are left out, so that one who uses the account meanwhile comes to an end
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
 * The conditions and the order by which `paged` goes on.
 * @param at column of the time, which an index should follow
 * @param id column that tells rows of one time apart
 */
export function paging(at: string, id: string, kind: 'text' | 'uuid' = 'uuid'): string {
  return `(${at}, ${id}) > ($2::timestamptz, $3::${kind}) and ${at} <= $4 order by ${at}, ${id} limit $5`
}
