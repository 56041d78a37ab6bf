import { atom, type ReadableAtom } from 'nanostores'
import { type ReceiptRecord, receipt as receiptEndpoint } from '#lib/api/payments.ts'
import { authorised } from './api.ts'
import { followSession } from './follow-session.ts'
import { goInstead } from './navigation.ts'
import { $session, loggedOutHere, start } from './session.ts'

export type ShownReceipt =
  | { readonly state: 'loading' }
  /** The address names no receipt of this user's. */
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly receipt: ReceiptRecord }

const $shown = atom<ShownReceipt>({ state: 'loading' })
/** The receipt that the address names by `?id=`. Written here alone. */
export const $receipt: ReadableAtom<ShownReceipt> = $shown

/** Counts openings, so that an answer to an older one is dropped. */
let opening = 0

function sendToLogin(): void {
  const { pathname, search } = window.location
  goInstead(`/login?next=${encodeURIComponent(`${pathname}${search}`)}`)
}

/** Asks for the receipt, also again after a failure. Visitors are sent to log in and come back. */
export async function openReceipt(): Promise<void> {
  opening += 1
  const mine = opening
  $shown.set({ state: 'loading' })
  await start()
  if (mine !== opening) return
  if ($session.get().status !== 'signed_in') return sendToLogin()
  const id = new URL(window.location.href).searchParams.get('id') ?? ''
  if (id === '') return $shown.set({ state: 'missing' })
  const result = await authorised(receiptEndpoint, { params: { id } })
  if (mine !== opening) return
  if (result.ok) $shown.set({ state: 'ready', receipt: result.value })
  else if (result.status === 401) sendToLogin()
  else if (result.status === 404 || result.status === 400) $shown.set({ state: 'missing' })
  else $shown.set({ state: 'failed', message: result.message })
}

/** What one user sees, nobody else does: the receipt goes, and is asked for again by whoever is signed in then. */
followSession(() => {
  if (opening === 0) return
  opening += 1
  $shown.set({ state: 'loading' })
  if (!loggedOutHere()) void openReceipt()
})
