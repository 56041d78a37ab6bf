import { atom } from 'nanostores'
import { type CallRecord, calls as callsEndpoint } from '#lib/api/calls.ts'
import { authorised } from './api.ts'
import { goInstead } from './navigation.ts'
import { $session, start } from './session.ts'

export type History =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready'
      /** Newest first. */
      readonly calls: readonly CallRecord[]
      readonly nextCursor: string | null
      readonly more: 'idle' | 'loading' | 'failed'
    }

/** This user's calls, as far as they have been asked for. Written here alone. */
export const $history = atom<History>({ state: 'loading' })

/** Counts openings, so that an answer to an older one is dropped. */
let opening = 0

function sendToLogin(): void {
  goInstead(`/login?next=${encodeURIComponent('/call-history')}`)
}

/** Loads the newest calls, also again after a failure. Visitors are sent to log in and come back. */
export async function openHistory(): Promise<void> {
  opening += 1
  const mine = opening
  $history.set({ state: 'loading' })
  await start()
  if ($session.get().status !== 'signed_in') return sendToLogin()
  const result = await authorised(callsEndpoint, { query: {} })
  if (mine !== opening) return
  if (result.ok) return $history.set({ state: 'ready', ...result.value, more: 'idle' })
  if (result.status === 401) return sendToLogin()
  $history.set({ state: 'failed', message: result.message })
}

/** Loads the next older page and appends it. Does nothing while one is on its way or when there is none. */
export async function loadMore(): Promise<void> {
  const history = $history.get()
  if (history.state !== 'ready' || history.more === 'loading' || history.nextCursor === null) return
  const mine = opening
  $history.set({ ...history, more: 'loading' })
  const result = await authorised(callsEndpoint, { query: { cursor: history.nextCursor } })
  if (mine !== opening) return
  if (!result.ok) {
    if (result.status === 401) return sendToLogin()
    return $history.set({ ...history, more: 'failed' })
  }
  const known = new Set(history.calls.map(call => call.id))
  const older = result.value.calls.filter(call => !known.has(call.id))
  $history.set({
    state: 'ready',
    calls: [...history.calls, ...older],
    nextCursor: result.value.nextCursor,
    more: 'idle',
  })
}
