import { atom } from 'nanostores'
import { type OpsOverview, type OpsSpan, operatorSignIn, operatorSignOut, opsOverview } from '#lib/api/ops.ts'
import { request } from './transport.ts'

export type Operations =
  | { readonly state: 'loading' }
  | { readonly state: 'signing_in' }
  /** @param link what became of the link that the page was opened with, if it was with one */
  | { readonly state: 'signed_out'; readonly link: 'none' | 'expired' }
  /** Signing in got no verdict: it can be tried again. */
  | { readonly state: 'not_signed_in'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string }
  /** @param trouble why it is not as new as it should be; null: it is */
  | { readonly state: 'ready'; readonly overview: OpsOverview; readonly trouble: string | null }

/** What the operator's page shows. Written here alone. */
export const $operations = atom<Operations>({ state: 'loading' })

/** How far back the page looks. Written here alone. */
export const $opsSpan = atom<OpsSpan>('day')

const pollMs = 15_000

let token: string | null = null
/** Of several that are under way the last one asked counts. */
let asked = 0

/** The token of an operator's link, taken out of the address bar and the history. */
function takeToken(): string | null {
  const address = new URL(window.location.href)
  const found = new URLSearchParams(address.hash.slice(1)).get('sign-in')
  if (found === null) return null
  address.hash = ''
  window.history.replaceState(window.history.state, '', address)
  return found === '' ? null : found
}

/** Uses the link of the address up, if there is one. @returns whether the page may go on */
async function claim(): Promise<boolean> {
  token = takeToken() ?? token
  if (token === null) return true
  asked += 1
  $operations.set({ state: 'signing_in' })
  const result = await request(operatorSignIn, { body: { token } })
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
  const before = $operations.get()
  const { message } = result
  $operations.set(before.state === 'ready' ? { ...before, trouble: message } : { state: 'failed', message })
}

/** Signs in with the link of the address, if there is one, and looks; again for another try. */
export async function openOperations(): Promise<void> {
  if (await claim()) await look()
}

/** Whether there is anything to be seen anew. */
function isSignedIn(): boolean {
  const { state } = $operations.get()
  return state === 'ready' || state === 'failed'
}

/**
 * Opens the page and looks every 15 s while it is seen, and at once when it is seen again. A link that is opened in the
 * same tab only changes what follows the `#`.
 * @returns what stops it
 */
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

/** Looks further back, or less far. */
export async function chooseOpsSpan(span: OpsSpan): Promise<void> {
  $opsSpan.set(span)
  await look()
}

/** Ends the session of this browser. */
export async function leaveOperations(): Promise<void> {
  asked += 1
  const result = await request(operatorSignOut, {})
  const before = $operations.get()
  if (result.ok || result.status === 401) $operations.set({ state: 'signed_out', link: 'none' })
  else if (before.state === 'ready') $operations.set({ ...before, trouble: result.message })
}
