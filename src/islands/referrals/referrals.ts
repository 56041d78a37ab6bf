import { atom } from 'nanostores'
import type { Reply } from '#lib/api/endpoint.ts'
import { referrals as referralsEndpoint } from '#lib/api/referrals.ts'
import { authorised } from '#session/api.ts'
import { followSession } from '#session/follow-session.ts'
import { goInstead } from '#session/navigation.ts'
import { $session, loggedOutHere, start } from '#session/session.ts'

export type Referrals =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | ({ readonly state: 'ready' } & Reply<typeof referralsEndpoint>)

export const $referrals = atom<Referrals>({ state: 'loading' })

/** The result of the last Copy. `failed`: the browser does not allow it, so the user must copy by hand. */
export type Copied = 'not_yet' | 'copied' | 'failed'
export const $copied = atom<Copied>('not_yet')

/** Counts loads, to ignore outdated answers. */
let opening = 0

function sendToLogin(): void {
  goInstead(`/login?next=${encodeURIComponent('/referrals')}`)
}

/** Loads the page, also to retry. Visitors are sent to log in and return. */
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

export async function copyLink(): Promise<void> {
  const referrals = $referrals.get()
  if (referrals.state !== 'ready') return
  $copied.set('not_yet')
  try {
    await navigator.clipboard.writeText(referrals.link)
    $copied.set('copied')
  } catch {
    $copied.set('failed')
  }
}

/** Private data: reload when the user changes. */
followSession(() => {
  if (opening === 0) return
  opening += 1
  $referrals.set({ state: 'loading' })
  $copied.set('not_yet')
  if (!loggedOutHere()) void openReferrals()
})
