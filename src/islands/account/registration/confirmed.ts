import { sessionHintName } from '#lib/account/session-hint.ts'
import { hasCookie, localStore, tabStore } from '#session/storage.ts'

/** What this browser knows of a confirmed address. `unknown`: a visitor, who may have confirmed one or not. */
export type Confirmation =
  | { readonly kind: 'verified'; readonly has_used_free_call: boolean }
  | { readonly kind: 'unverified' }
  | { readonly kind: 'unknown' }

const key = 'confirmed'

/** In this tab a link of ours has just confirmed an address. */
export function noteConfirmed(): void {
  tabStore.write(key, 'yes')
}

/** Of the signed-in user, or else of this tab. Session code loads only where there may be a session. */
export async function knowConfirmation(): Promise<Confirmation> {
  const isNoted = tabStore.read(key) !== null
  const noted: Confirmation = isNoted ? { kind: 'verified', has_used_free_call: false } : { kind: 'unknown' }
  if (localStore.read('token') === null && !hasCookie(sessionHintName)) return noted
  const { $user, loadUser } = await import('#session/user.ts')
  await loadUser()
  const user = $user.get()
  if (user === null) return noted
  return user.email_verified ? { kind: 'verified', ...user } : { kind: 'unverified' }
}
