import { atom } from 'nanostores'
import { verifyEmail } from '#lib/api/auth.ts'
import { confirmEmailChange } from '#lib/api/profile.ts'
import { consumeSecret } from '#session/consumed-secret.ts'
import { $session } from '#session/session.ts'
import { request } from '#session/transport.ts'
import { loadUser } from '#session/user.ts'
import { noteConfirmed } from './confirmed.ts'
import { goOnConfirmed } from './go-on-confirmed.ts'

export type Verification =
  | { readonly state: 'checking' }
  | { readonly state: 'no_token' }
  | { readonly state: 'expired' }
  /** The address of another account than the one signed in here, whose address `signedInEmail` is. */
  | { readonly state: 'other_verified'; readonly signedInEmail: string }
  | { readonly state: 'changed'; readonly email: string }
  | { readonly state: 'change_expired' }
  | { readonly state: 'change_taken' }
  /** No clear result; a retry is possible. */
  | { readonly state: 'failed'; readonly message: string }

export const $verification = atom<Verification>({ state: 'checking' })

/** `token`: the address of a new account; `change`: an account's new address. */
interface Link {
  readonly kind: 'token' | 'change'
  readonly token: string
}

let link: Link | null = null
let running = false

function consumeLink(): Link | null {
  let found: Link | null = null
  for (const kind of ['change', 'token'] as const) {
    const token = consumeSecret(kind)
    if (token !== null && token !== '') found = { kind, token }
  }
  return found
}

/** A token outside the contract was damaged in transit; the visitor sees a dead link. */
function isDead(code: string): boolean {
  return code === 'link_expired' || code === 'invalid_request'
}

async function confirmNew(token: string): Promise<Verification | 'leaving'> {
  const before = await loadUser()
  const result = await request(verifyEmail, { body: { token } })
  if (result.ok) {
    const user = before === null ? null : await loadUser()
    const isOwn = before?.email_verified === false && user?.email_verified === true
    if (user !== null && !isOwn) return { state: 'other_verified', signedInEmail: user.email }
    noteConfirmed()
    goOnConfirmed($session.get().status === 'signed_in')
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

/** Confirms an address. The link works once, so a second call does nothing unless the first had no clear result. */
export async function verify(): Promise<void> {
  if (running) return
  link ??= consumeLink()
  if (link === null) return $verification.set({ state: 'no_token' })
  running = true
  $verification.set({ state: 'checking' })
  const next = link.kind === 'change' ? await confirmChange(link.token) : await confirmNew(link.token)
  if (next === 'leaving') return
  running = next.state !== 'failed'
  $verification.set(next)
}
