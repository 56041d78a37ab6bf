import { atom } from 'nanostores'
import { type OpsOverview, type OpsSpan, operatorSignIn, operatorSignOut, opsOverview } from '#lib/api/ops.ts'
import { authorised } from '#session/api.ts'
import { request } from '#session/transport.ts'

export type Operations =
  | { readonly state: 'loading' }
  | { readonly state: 'signing_in' }
  /** Operators must log in with a second factor. @param by who is logged in now */
  | { readonly state: 'needs_second_factor'; readonly by: 'nobody' | 'password' }
  /** @param link what became of the page's sign-in link, if it had one */
  | { readonly state: 'signed_out'; readonly link: 'none' | 'expired' }
  /** Signing in had no clear result; a retry is possible. */
  | { readonly state: 'not_signed_in'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string }
  /** @param trouble why the figures are outdated; null if they are not */
  | { readonly state: 'ready'; readonly overview: OpsOverview; readonly trouble: string | null }

export const $operations = atom<Operations>({ state: 'loading' })

export const $opsSpan = atom<OpsSpan>('day')

const pollMs = 15_000

let token: string | null = null
let asked = 0

function consumeToken(): string | null {
  const address = new URL(window.location.href)
  const found = new URLSearchParams(address.hash.slice(1)).get('sign-in')
  if (found === null) return null
  address.hash = ''
  window.history.replaceState(window.history.state, '', address)
  return found === '' ? null : found
}

/** Redeems the link of the address, if there is one. @returns whether the page may continue */
async function claim(): Promise<boolean> {
  token = consumeToken() ?? token
  if (token === null) return true
  asked += 1
  $operations.set({ state: 'signing_in' })
  const result = await authorised(operatorSignIn, { body: { token } })
  if (!result.ok && (result.code === 'second_factor_required' || result.code === 'unauthorized')) {
    // The link stays valid and is in the terminal; forget it here.
    token = null
    const by = result.code === 'unauthorized' ? 'nobody' : 'password'
    $operations.set({ state: 'needs_second_factor', by })
    return false
  }
  const dead = !result.ok && (result.code === 'link_expired' || result.code === 'invalid_request')
  if (result.ok || dead) token = null
  if (result.ok) return true
  $operations.set(
    dead ? { state: 'signed_out', link: 'expired' } : { state: 'not_signed_in', message: result.message },
  )
  return false
}

async function look(): Promise<void> {
  asked += 1
  const mine = asked
  const result = await request(opsOverview, { query: { span: $opsSpan.get() } })
  if (mine !== asked) return
  if (result.ok) return $operations.set({ state: 'ready', overview: result.value, trouble: null })
  if (result.status === 401) return $operations.set({ state: 'signed_out', link: 'none' })
  if (result.code === 'second_factor_required')
    return $operations.set({ state: 'needs_second_factor', by: 'password' })
  const before = $operations.get()
  const { message } = result
  $operations.set(before.state === 'ready' ? { ...before, trouble: message } : { state: 'failed', message })
}

/** Signs in with the address's link, if there is one, and loads the figures; also to retry. */
export async function openOperations(): Promise<void> {
  if (await claim()) await look()
}

function isSignedIn(): boolean {
  const { state } = $operations.get()
  return state === 'ready' || state === 'failed'
}

/** Reloads every 15 s while visible. A link opened in the same tab changes only the fragment. @returns stops it */
export function watchOperations(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const turn = async (first = false) => {
    clearTimeout(timer)
    if (first) await openOperations()
    else if (!document.hidden && isSignedIn()) await look()
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(() => void turn(), pollMs)
  }
  const shown = () => {
    if (!document.hidden) void turn()
  }
  const opened = () => {
    if (window.location.hash.startsWith('#sign-in=')) void turn(true)
  }
  document.addEventListener('visibilitychange', shown)
  window.addEventListener('hashchange', opened)
  void turn(true)
  return () => {
    stopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', shown)
    window.removeEventListener('hashchange', opened)
  }
}

export async function chooseOpsSpan(span: OpsSpan): Promise<void> {
  $opsSpan.set(span)
  await look()
}

export async function leaveOperations(): Promise<void> {
  asked += 1
  const result = await request(operatorSignOut, {})
  const before = $operations.get()
  if (result.ok || result.status === 401) $operations.set({ state: 'signed_out', link: 'none' })
  else if (before.state === 'ready') $operations.set({ ...before, trouble: result.message })
}
