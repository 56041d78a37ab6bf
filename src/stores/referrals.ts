import { atom } from 'nanostores'
import type { Reply } from '#lib/api/endpoint.ts'
import { referrals as referralsEndpoint } from '#lib/api/referrals.ts'
import { authorised } from './api.ts'
import { followSession } from './follow-session.ts'
import { goInstead } from './navigation.ts'
import { $session, loggedOutHere, start } from './session.ts'

export type Referrals =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | ({ readonly state: 'ready' } & Reply<typeof referralsEndpoint>)

/** This user's link and who came by it. Written here alone. */
export const $referrals = atom<Referrals>({ state: 'loading' })

/** What became of the last press of Copy. `failed`: the browser does not let us, so the link is to be copied by hand. */
export type Copied = 'not_yet' | 'copied' | 'failed'
/** Written here alone. */
export const $copied = atom<Copied>('not_yet')

/** Counts openings, so that an answer to an older one is dropped. */
let opening = 0

function sendToLogin(): void {
  goInstead(`/login?next=${encodeURIComponent('/referrals')}`)
}

/** Loads the page, also again after a failure. Visitors are sent to log in and come back. */
export async function openReferrals(): Promise<void> {
  opening += 1
  const mine = opening
  $referrals.set({ state: 'loading' })
  $copied.set('not_yet')
  await start()
  if (mine !== opening) return
  if ($session.get().status !== 'signed_in') return sendToLogin()
  const result = await authorised(referralsEndpoint, {})
  if (mine !== opening) return
  if (result.ok) return $referrals.set({ state: 'ready', ...result.value })
  if (result.status === 401) return sendToLogin()
  $referrals.set({ state: 'failed', message: result.message })
}

/** Copies the link to the clipboard. */
export async function copyLink(): Promise<void> {
  const referrals = $referrals.get()
  if (referrals.state !== 'ready') return
  // Said again when it is pressed again.
  $copied.set('not_yet')
  try {
    await navigator.clipboard.writeText(referrals.link)
    $copied.set('copied')
  } catch {
    $copied.set('failed')
  }
}

/** What one user sees, nobody else does: what is shown goes, and is asked for again by whoever is signed in then. */
followSession(() => {
  if (opening === 0) return
  opening += 1
  $referrals.set({ state: 'loading' })
  $copied.set('not_yet')
  if (!loggedOutHere()) void openReferrals()
})
