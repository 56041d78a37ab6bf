import { atom, type ReadableAtom } from 'nanostores'
import { followSession } from '#session/follow-session.ts'
import { goInstead } from '#session/navigation.ts'
import { $session, loggedOutHere, start } from '#session/session.ts'

export type ShownReceipt<Receipt> =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly receipt: Receipt }

type Answer<Receipt> =
  | { readonly ok: true; readonly value: Receipt }
  | { readonly ok: false; readonly status: number; readonly message: string }

export interface ReceiptStore<Receipt> {
  readonly $shown: ReadableAtom<ShownReceipt<Receipt>>
  /** Loads the receipt, also to retry. Visitors are sent to log in and return. */
  open(): Promise<void>
  refresh(): Promise<void>
}

function sendToLogin(): void {
  const { pathname, search } = window.location
  goInstead(`/login?next=${encodeURIComponent(`${pathname}${search}`)}`)
}

function namedReceipt(): string {
  return new URL(window.location.href).searchParams.get('id') ?? ''
}

/** Of a payment or a call, named by `?id=` in the address. */
export function createReceiptStore<Receipt>(
  ask: (id: string) => Promise<Answer<Receipt>>,
): ReceiptStore<Receipt> {
  const $shown = atom<ShownReceipt<Receipt>>({ state: 'loading' })
  /** Counts loads, to ignore outdated answers. */
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

  // Private data: reload when the user changes.
  followSession(() => {
    if (opening === 0) return
    opening += 1
    $shown.set({ state: 'loading' })
    if (!loggedOutHere()) void open()
  })
  return { $shown, open, refresh }
}
