import { type CallRecord, maxCallsPerPage, searchCalls } from '#lib/api/calls.ts'
import { type CallFilter, callFilterBody } from '#lib/calls/call-filter.ts'
import { authorised } from '#session/api.ts'
import { followSession } from '#session/follow-session.ts'
import { $contactNames } from '#shared/contacts.ts'
import type { CsvResult } from '#shared/csv-download/CsvButton.tsx'
import { callsCsv } from './calls-csv.ts'

/** Counts changes of the user, so that no file mixes two users' calls. */
let turn = 0
followSession(() => {
  turn += 1
})

/** All calls of a filter as CSV, newest first, over all pages. */
export async function loadCallsCsv(filter: CallFilter): Promise<CsvResult> {
  const all: CallRecord[] = []
  const whose = turn
  let cursor: string | undefined
  do {
    const body = { ...callFilterBody(filter), cursor, limit: maxCallsPerPage }
    const result = await authorised(searchCalls, { body })
    if (whose !== turn)
      return { ok: false, message: 'You are no longer logged in as you were. Please try again.' }
    if (!result.ok) return { ok: false, message: result.message }
    all.push(...result.value.calls)
    cursor = result.value.nextCursor ?? undefined
  } while (cursor !== undefined)
  return { ok: true, value: callsCsv(all, $contactNames.get()) }
}
