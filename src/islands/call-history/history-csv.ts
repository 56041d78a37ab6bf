import { type CallRecord, maxCallsPerPage, searchCalls } from '#lib/api/calls.ts'
import { type CallFilter, callFilterBody } from '#lib/calls/call-filter.ts'
import { authorised } from '#session/api.ts'
import { rememberUser } from '#session/follow-session.ts'
import { $contactNames } from '#shared/contacts.ts'
import type { CsvResult } from '#shared/csv-download/CsvButton.tsx'
import { callsCsv } from './calls-csv.ts'
import { csv } from './csv-texts.ts'

/** All calls of a filter as CSV, newest first, over all pages. Never mixes the calls of two users. */
export async function loadCallsCsv(filter: CallFilter): Promise<CsvResult> {
  const all: CallRecord[] = []
  const isSameUser = rememberUser()
  let cursor: string | undefined
  do {
    const body = { ...callFilterBody(filter), cursor, limit: maxCallsPerPage }
    const result = await authorised(searchCalls, { body })
    if (!isSameUser()) return { ok: false, message: csv.somebodyElse }
    if (!result.ok) return { ok: false, message: result.message }
    all.push(...result.value.calls)
    cursor = result.value.nextCursor ?? undefined
  } while (cursor !== undefined)
  return { ok: true, value: callsCsv(all, $contactNames.get()) }
}
