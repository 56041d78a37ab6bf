import { atom } from 'nanostores'
import { verifyEmail } from '#lib/api/auth.ts'
import { goInstead } from './navigation.ts'
import { request } from './transport.ts'

export type Verification =
  | { readonly state: 'checking' }
  /** The page was opened without a link's token. */
  | { readonly state: 'no_token' }
  | { readonly state: 'expired' }
  /** No verdict: it can be tried again. */
  | { readonly state: 'failed'; readonly message: string }

/** How far the confirmation by mailed link has come. Written here alone. */
export const $verification = atom<Verification>({ state: 'checking' })

let token: string | null = null
let running = false

/** The token of the mailed link, taken out of the address bar and the history. */
function takeToken(): string | null {
  const address = new URL(window.location.href)
  const found = address.searchParams.get('token')
  if (found !== null) {
    address.searchParams.delete('token')
    window.history.replaceState(window.history.state, '', address)
  }
  return found
}

/**
 * Confirms the address with the link's token and goes on to `/email-verified`. The link works once, so a
 * second call while one is under way does nothing.
 */
export async function verify(): Promise<void> {
  if (running) return
  token ??= takeToken()
  if (token === null || token === '') return $verification.set({ state: 'no_token' })
  running = true
  $verification.set({ state: 'checking' })
  const result = await request(verifyEmail, { body: { token } })
  if (result.ok) return goInstead('/email-verified')
  running = false
  // A token that the contract refuses was damaged on its way: to the visitor, a link that does not work.
  const expired = result.code === 'link_expired' || result.code === 'invalid_request'
  $verification.set(expired ? { state: 'expired' } : { state: 'failed', message: result.message })
}
