import { atom, type ReadableAtom } from 'nanostores'
import { followSession } from './follow-session.ts'
import { goInstead } from './navigation.ts'
import { $session, loggedOutHere, start } from './session.ts'

export type ShownReceipt<Receipt> =
  | { readonly state: 'loading' }
  /** The address names none of this user's. */
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly receipt: Receipt }

type Answer<Receipt> =
  | { readonly ok: true; readonly value: Receipt }
  | { readonly ok: false; readonly status: number; readonly message: string }

export interface ReceiptStore<Receipt> {
  readonly $shown: ReadableAtom<ShownReceipt<Receipt>>
  /** Asks for the receipt, also again after a failure. Visitors are sent to log in and come back. */
  open(): Promise<void>
  /** Asks again for the one that is shown, which stays until the answer is there. */
  refresh(): Promise<void>
}

function sendToLogin(): void {
  const { pathname, search } = window.location
  goInstead(`/login?next=${encodeURIComponent(`${pathname}${search}`)}`)
}

function namedReceipt(): string {
  return new URL(window.location.href).searchParams.get('id') ?? ''
}

/** The receipt that the address names by `?id=`, of a payment or of a call. */
export function createReceiptStore<Receipt>(
  ask: (id: string) => Promise<Answer<Receipt>>,
): ReceiptStore<Receipt> {
  const $shown = atom<ShownReceipt<Receipt>>({ state: 'loading' })
  /** Counts openings, so that an answer to an older one is dropped. */
  let opening = 0

  async function open(): Promise<void> {
    opening += 1
    const mine = opening
    $shown.set({ state: 'loading' })
    await start()
    if (mine !== opening) return
    if ($session.get().status !== 'signed_in') return sendToLogin()
    const id = namedReceipt()
    if (id === '') return $shown.set({ state: 'missing' })
    const result = await ask(id)
    if (mine !== opening) return
    if (result.ok) $shown.set({ state: 'ready', receipt: result.value })
    else if (result.status === 401) sendToLogin()
    else if (result.status === 404 || result.status === 400) $shown.set({ state: 'missing' })
    else $shown.set({ state: 'failed', message: result.message })
  }

  async function refresh(): Promise<void> {
    const mine = opening
    const result = await ask(namedReceipt())
    if (mine === opening && result.ok) $shown.set({ state: 'ready', receipt: result.value })
  }

  // What one user sees, nobody else does: the receipt goes, and is asked for again by whoever is signed in then.
  followSession(() => {
    if (opening === 0) return
    opening += 1
    $shown.set({ state: 'loading' })
    if (!loggedOutHere()) void open()
  })
  return { $shown, open, refresh }
}
