import { type CallRecord, calls as callsEndpoint, mostCalls } from '#lib/api/calls.ts'
import { type CallFilter, callFilterQuery } from '#lib/rules/call-filter.ts'
import { callsCsv } from '#lib/rules/calls-csv.ts'
import { authorised } from './api.ts'
import type { Told } from './billing.ts'
import { $contactNames } from './contacts.ts'
import { followSession } from './follow-session.ts'

/** Counts users, so that no file holds the calls of two. */
let turn = 0
followSession(() => {
  turn += 1
})

/** Every call that a filter lets through as the text of a CSV file, newest first, however many there are. */
export async function loadCallsCsv(filter: CallFilter): Promise<Told<string>> {
  const all: CallRecord[] = []
  const whose = turn
  let cursor: string | undefined
  do {
    const query = { ...callFilterQuery(filter), cursor, limit: mostCalls }
    const result = await authorised(callsEndpoint, { query })
    if (whose !== turn)
      return { ok: false, message: 'You are no longer logged in as you were. Please try again.' }
    if (!result.ok) return { ok: false, message: result.message }
    all.push(...result.value.calls)
    cursor = result.value.nextCursor ?? undefined
  } while (cursor !== undefined)
  return { ok: true, value: callsCsv(all, $contactNames.get()) }
}
