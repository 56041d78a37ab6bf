import type { Services } from '../context.ts'
import { time } from './cells.ts'
import { paged, paging } from './paged.ts'

interface Line {
  readonly sort_at: Date
  readonly sort_id: string
}

export function readDevices({ db }: Services, userId: string, until: Date) {
  return paged<Line & { device: string; kind: string; last_seen_at: Date; signed_in: boolean }>(
    db,
    `select signed_in_at as sort_at, id as sort_id, device, kind, last_seen_at,
       exists (select 1 from refresh_token where family = session.id and revoked_at is null and expires_at > $4) as signed_in
     from session where user_id = $1 and ${paging('signed_in_at', 'id')}`,
    userId,
    until,
    row => ({
      id: row.sort_id,
      device: row.device,
      kind: row.kind,
      signed_in_at: time(row.sort_at),
      last_seen_at: time(row.last_seen_at),
      signed_in_now: row.signed_in,
    }),
  )
}

export function readContacts({ db }: Services, userId: string, until: Date) {
  return paged<Line & { name: string; phone_number: string; iso_code: string }>(
    db,
    `select created_at as sort_at, id as sort_id, name, phone_number, iso_code from contact
     where user_id = $1 and ${paging('created_at', 'id')}`,
    userId,
    until,
    row => ({
      id: row.sort_id,
      name: row.name,
      phone_number: row.phone_number,
      country: row.iso_code,
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
