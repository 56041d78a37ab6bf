import type { Services } from '../../context.ts'
import { deviceText } from '../../identity/device-name.ts'
import { money, time } from './cells.ts'
import { type ExportRow, paged, paging } from './paged.ts'

interface Line {
  readonly sort_at: Date
  readonly sort_id: string
}

interface DeviceLine extends Line {
  readonly device: string
  readonly kind: string
  readonly last_seen_at: Date
  readonly signed_in: boolean
  readonly engine: string | null
  readonly engine_version: number | null
  readonly system: string | null
}

export function readDevices({ db }: Services, userId: string, until: Date) {
  return paged<DeviceLine>(
    db,
    `select signed_in_at as sort_at, id as sort_id, device, kind, last_seen_at, engine, engine_version,
       system,
       exists (select 1 from refresh_token where family = session.id and revoked_at is null and expires_at > $4) as signed_in
     from session where user_id = $1 and ${paging('signed_in_at', 'id')}`,
    userId,
    until,
    row => ({
      id: row.sort_id,
      device: deviceText(row.device),
      kind: row.kind,
      signed_in_at: time(row.sort_at),
      last_seen_at: time(row.last_seen_at),
      signed_in_now: row.signed_in,
      engine: row.engine,
      engine_version: row.engine_version,
      system: row.system,
    }),
  )
}

interface ContactLine extends Line {
  readonly name: string
  readonly phone_number: string
  readonly extension: string | null
  readonly iso_code: string
  readonly favourite: boolean
  readonly notes: string | null
}

interface FactorLine {
  readonly kind: string
  readonly name: string | null
  readonly added_at: Date
  readonly last_used_at: Date | null
}

export async function* readSecondFactors(
  { db }: Services,
  userId: string,
  until: Date,
): AsyncGenerator<readonly ExportRow[]> {
  const rows = await db.query<FactorLine>(
    `select 'passkey' as kind, name, created_at as added_at, last_used_at from passkey
       where user_id = $1 and created_at <= $2
     union all select 'authenticator_app', null, confirmed_at, last_used_at from authenticator_app
       where user_id = $1 and confirmed_at <= $2
     union all select 'recovery_code', null, created_at, used_at from recovery_code
       where user_id = $1 and created_at <= $2
     order by added_at, kind`,
    [userId, until],
  )
  yield rows.map(row => ({
    kind: row.kind,
    name: row.name ?? '',
    added_at: time(row.added_at),
    last_used_at: time(row.last_used_at),
  }))
}

export function readContacts({ db }: Services, userId: string, until: Date) {
  return paged<ContactLine>(
    db,
    `select created_at as sort_at, id as sort_id, name, phone_number, extension, iso_code, favourite, notes from contact
     where user_id = $1 and ${paging('created_at', 'id')}`,
    userId,
    until,
    row => ({
      id: row.sort_id,
      name: row.name,
      phone_number: row.phone_number,
      country: row.iso_code,
      extension: row.extension ?? '',
      favourite: row.favourite,
      notes: row.notes ?? '',
      created_at: time(row.sort_at),
    }),
  )
}

export function readCallerIds({ db }: Services, userId: string, until: Date) {
  return paged<Line>(
    db,
    `select verified_at as sort_at, phone_number as sort_id from caller_id
     where user_id = $1 and ${paging('verified_at', 'phone_number', 'text')}`,
    userId,
    until,
    row => ({ phone_number: row.sort_id, verified_at: time(row.sort_at) }),
  )
}

export function readFeedback({ db }: Services, userId: string, until: Date) {
  return paged<
    Line & { call_id: string | null; score: number; issue: string | null; comment: string | null }
  >(
    db,
    `select created_at as sort_at, id as sort_id, call_id, score, issue, comment from feedback
     where user_id = $1 and ${paging('created_at', 'id')}`,
    userId,
    until,
    row => ({
      id: row.sort_id,
      call_id: row.call_id,
      score: row.score,
      issue: row.issue,
      comment: row.comment,
      created_at: time(row.sort_at),
    }),
  )
}

interface SpendingLine {
  readonly per_call: number | null
  readonly per_month: number | null
  readonly locked: readonly string[]
  readonly changed_at: Date
}

export async function* readSpending(
  { db }: Services,
  userId: string,
  until: Date,
): AsyncGenerator<readonly ExportRow[]> {
  const rows = await db.query<SpendingLine>(
    'select per_call, per_month, locked, changed_at from spending_limit where user_id = $1 and changed_at <= $2',
    [userId, until],
  )
  yield rows.map(row => ({
    ...money('per_call', row.per_call),
    ...money('per_month', row.per_month),
    locked: row.locked.join(' '),
    changed_at: time(row.changed_at),
  }))
}
