import type { CallRecord } from '#lib/api/calls.ts'
import { anyCaseUuidPattern } from '#lib/uuid.ts'
import type { Db } from '../../db/port.ts'
import { type CallRow, callColumns, presentCall } from '../rows.ts'
import {
  type CallFilterQuery,
  createConditions,
  isMeant,
  readWanted,
  type WantedCalls,
} from './history-filter.ts'

const pageSize = 25

export interface CallQuery extends CallFilterQuery {
  readonly cursor?: string | undefined
  /** Calls per page; default 25. */
  readonly limit?: number | undefined
}

/**
 * Newest calls first. An unreadable cursor starts from the newest. When the filter matches too many numbers to list, a
 * page may be short or empty and still have a cursor, which continues the search.
 */
export async function listCalls(
  db: Db,
  userId: string,
  { cursor, limit = pageSize, ...filter }: CallQuery = {},
): Promise<{ calls: CallRecord[]; nextCursor: string | null }> {
  const wanted = await readWanted(db, userId, filter)
  const { rows, reached } = await findRows(db, wanted, readCursor(cursor), limit + 1)
  const page = rows.slice(0, limit)
  const next = rows.length > limit ? page.at(-1) : reached
  return { calls: page.map(presentCall), nextCursor: next === undefined ? null : writeCursor(next) }
}

interface FoundRows {
  readonly rows: CallRow[]
  /** The last call examined, if the walk stopped early and older calls may match. */
  readonly reached?: CallRow
}

/** If too many numbers match to list them, filters calls in a walk of limited length, not through years of history. */
async function findRows(
  db: Db,
  wanted: WantedCalls,
  after: Position | undefined,
  count: number,
): Promise<FoundRows> {
  const { numbers } = wanted
  const picks = numbers !== undefined && numbers.called === undefined
  const found: CallRow[] = []
  let position = after
  let walked = 0
  for (
    let steps = picks ? Math.max(shortestWalk, count) : count;
    ;
    steps = Math.min(steps * 4, longestWalk - walked)
  ) {
    const { sql, values } = pageStatement(
      { ...wanted, numbers: picks ? undefined : numbers },
      position,
      steps,
    )
    const rows = await db.query<CallRow>(sql, values)
    found.push(...(picks ? rows.filter(row => isMeant(numbers, row.to_number)) : rows))
    const last = rows.at(-1)
    if (found.length >= count || rows.length < steps || last === undefined)
      return { rows: found.slice(0, count) }
    walked += rows.length
    if (walked >= longestWalk) return { rows: found, reached: last }
    position = { placedAt: last.placed_at, id: last.id }
  }
}

const shortestWalk = 250
const longestWalk = 2000

/** Walks the index that fits the filter (number, outcome or none), newest first; merges several walks of at most a page. */
function pageStatement(wanted: WantedCalls, after: Position | undefined, count: number) {
  const { userId, outcomes, numbers } = wanted
  const { values, put, ...conditions } = createConditions()
  const one = [`user_id = ${put(userId, 'uuid')}`]
  const each: string[] = []
  const newest = 'order by placed_at desc, id desc'
  const limit = `limit ${put(count, 'int')}`
  if (numbers?.called !== undefined) {
    each.push(`unnest(${put(numbers.called, 'text[]')})`)
    one.push('to_number = wanted.item', ...conditions.outcomes(wanted))
  } else if (outcomes !== undefined) {
    each.push(`unnest(${put(outcomes, 'text[]')})`)
    one.push('outcome = wanted.item')
  }
  one.push(...conditions.placed(wanted))
  if (after !== undefined)
    one.push(`(placed_at, id) < (${put(after.placedAt, 'timestamptz')}, ${put(after.id, 'uuid')})`)
  const walk = `select ${callColumns} from call where ${one.join(' and ')} ${newest} ${limit}`
  const [list] = each
  if (list === undefined) return { sql: walk, values }
  const sql = `select found.* from ${list} as wanted (item) cross join lateral (${walk}) found ${newest} ${limit}`
  return { sql, values }
}

/** A call of this user; calls of other users count as not found (REL-39). */
export async function findCall(db: Db, userId: string, callId: string): Promise<CallRecord | undefined> {
  const row = await findCallRow(db, userId, callId)
  return row === undefined ? undefined : presentCall(row)
}

export async function findCallRow(db: Db, userId: string, callId: string): Promise<CallRow | undefined> {
  if (!isCallId(callId)) return undefined
  const [row] = await db.query<CallRow>(`select ${callColumns} from call where id = $1 and user_id = $2`, [
    callId,
    userId,
  ])
  return row
}

/** Whether the text is a UUID, so that the database accepts it. */
export function isCallId(text: string): boolean {
  return anyCaseUuidPattern.test(text)
}

interface Position {
  readonly placedAt: Date
  readonly id: string
}

function writeCursor(row: CallRow): string {
  return Buffer.from(`${row.placed_at.toISOString()} ${row.id}`).toString('base64url')
}

function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time) || !anyCaseUuidPattern.test(id)) return undefined
  const placedAt = new Date(time)
  return Number.isNaN(placedAt.getTime()) || placedAt.getUTCFullYear() < 1 ? undefined : { placedAt, id }
}
