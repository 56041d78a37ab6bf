import { atom } from 'nanostores'
import { verifyEmail } from '#lib/api/auth.ts'
import { confirmEmailChange } from '#lib/api/profile.ts'
import { noteConfirmed } from './heard-about.ts'
import { goInstead } from './navigation.ts'
import { request } from './transport.ts'

export type Verification =
  | { readonly state: 'checking' }
  /** The page was opened without a link's token. */
  | { readonly state: 'no_token' }
  | { readonly state: 'expired' }
  /** An account has a new address. */
  | { readonly state: 'changed'; readonly email: string }
  | { readonly state: 'change_expired' }
  /** Somebody has registered the new address meanwhile. */
  | { readonly state: 'change_taken' }
  /** No verdict: it can be tried again. */
  | { readonly state: 'failed'; readonly message: string }

/** How far the confirmation by mailed link has come. Written here alone. */
export const $verification = atom<Verification>({ state: 'checking' })

/** What a mailed link confirms: the address of an account that is new, `token`, or has a new one, `change`. */
interface Link {
  readonly kind: 'token' | 'change'
  readonly token: string
}

let link: Link | null = null
let running = false

/** The token of the mailed link, taken out of the address bar and the history. */
function takeLink(): Link | null {
  const address = new URL(window.location.href)
  let found: Link | null = null
  for (const kind of ['change', 'token'] as const) {
    const token = address.searchParams.get(kind)
    if (token === null) continue
    address.searchParams.delete(kind)
    if (token !== '') found = { kind, token }
    window.history.replaceState(window.history.state, '', address)
  }
  return found
}

/** A token that the contract refuses was damaged on its way: to the visitor, a link that does not work. */
function isDead(code: string): boolean {
  return code === 'link_expired' || code === 'invalid_request'
}

async function confirmNew(token: string): Promise<Verification | 'leaving'> {
  const result = await request(verifyEmail, { body: { token } })
  if (result.ok) {
    noteConfirmed()
    goInstead('/email-verified')
    return 'leaving'
  }
  return isDead(result.code) ? { state: 'expired' } : { state: 'failed', message: result.message }
}

async function confirmChange(token: string): Promise<Verification> {
  const result = await request(confirmEmailChange, { body: { token } })
  if (result.ok) return { state: 'changed', email: result.value.email }
  if (result.code === 'email_taken') return { state: 'change_taken' }
  return isDead(result.code) ? { state: 'change_expired' } : { state: 'failed', message: result.message }
}

/**
 * Confirms the address with the link's token: that of a new account, and goes on to `/email-verified`, or the new one of
 * an account. The link works once, so a second call while one is under way, or after the end, does nothing.
 */
export async function verify(): Promise<void> {
  if (running) return
  link ??= takeLink()
  if (link === null) return $verification.set({ state: 'no_token' })
  running = true
  $verification.set({ state: 'checking' })
  const next = link.kind === 'change' ? await confirmChange(link.token) : await confirmNew(link.token)
  if (next === 'leaving') return
  running = next.state !== 'failed'
  $verification.set(next)
}
