import type { CallRecord } from '#lib/api/calls.ts'
import type { Db } from '../../db/port.ts'
import { type CallRow, callColumns, presentCall } from './rows.ts'

const pageSize = 25

/**
 * One page of a user's calls, newest first. The cursor is opaque to the client; one that cannot be read
 * starts from the newest.
 */
export async function listCalls(
  db: Db,
  userId: string,
  cursor: string | undefined,
): Promise<{ calls: CallRecord[]; nextCursor: string | null }> {
  const after = readCursor(cursor)
  const rows = await db.query<CallRow>(
    `select ${callColumns} from call where user_id = $1
     ${after === undefined ? '' : 'and (placed_at, id) < ($3::timestamptz, $4::uuid)'}
     order by placed_at desc, id desc limit $2`,
    [userId, pageSize + 1, ...(after === undefined ? [] : [after.placedAt, after.id])],
  )
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  const more = rows.length > pageSize && last !== undefined
  return { calls: page.map(presentCall), nextCursor: more ? writeCursor(last) : null }
}

/** One call of this user's; somebody else's is not found (reliability row 39). */
export async function findCall(db: Db, userId: string, callId: string): Promise<CallRecord | undefined> {
  if (!uuidPattern.test(callId)) return undefined
  const [row] = await db.query<CallRow>(`select ${callColumns} from call where id = $1 and user_id = $2`, [
    callId,
    userId,
  ])
  return row === undefined ? undefined : presentCall(row)
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function writeCursor(row: CallRow): string {
  return Buffer.from(`${row.placed_at.toISOString()} ${row.id}`).toString('base64url')
}

function readCursor(cursor: string | undefined): { placedAt: Date; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time) || !uuidPattern.test(id)) return undefined
  const placedAt = new Date(time)
  return Number.isNaN(placedAt.getTime()) || placedAt.getUTCFullYear() < 1 ? undefined : { placedAt, id }
}
