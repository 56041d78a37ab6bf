import { atom, type ReadableAtom } from 'nanostores'
import { type GiftRecord, sentGifts } from '#lib/api/gifts.ts'
import { requestRefund } from '#lib/api/payments.ts'
import { paymentTexts } from '#lib/money/payment-texts.ts'
import { authorised } from '#session/api.ts'
import { followSession } from '#session/follow-session.ts'
import { $session, start } from '#session/session.ts'
import { showToast } from '#session/toasts.ts'
import { checkout } from '#shared/checkout/texts.ts'
import { clearDraft } from './draft.ts'
import { texts } from './texts.ts'

export type SentGifts =
  | { readonly state: 'loading' }
  /** Nothing to list: nobody is signed in. */
  | { readonly state: 'visitor' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly gifts: readonly GiftRecord[] }

const $shown = atom<SentGifts>({ state: 'loading' })
export const $sent: ReadableAtom<SentGifts> = $shown

/** The booklet that was paid for just now: it is shown first. */
const $arrived = atom<string | null>(null)
export const $justPaid: ReadableAtom<string | null> = $arrived

/** Counts loads, to ignore outdated answers. */
let turn = 0

export async function loadSent(): Promise<void> {
  turn += 1
  const mine = turn
  await start()
  if (mine !== turn) return
  if ($session.get().status !== 'signed_in') return $shown.set({ state: 'visitor' })
  const result = await authorised(sentGifts, {})
  if (mine !== turn) return
  if (result.ok) $shown.set({ state: 'ready', gifts: result.value.gifts })
  else if (result.status === 401) $shown.set({ state: 'visitor' })
  else $shown.set({ state: 'failed', message: result.message })
}

const askEveryMs = 1500
const askFor = 40

/** Reads how the checkout ended from the address, and waits for a paid booklet: its event may be late. */
export async function comeBack(): Promise<void> {
  const address = new URL(window.location.href)
  const ended = address.searchParams.get('payment')
  const order = address.searchParams.get('order')
  for (const name of ['payment', 'order', 'amount']) address.searchParams.delete(name)
  if (ended !== null) window.history.replaceState(window.history.state, '', address)
  if (ended === 'cancelled') showToast({ type: 'info', message: checkout.cancelled })
  await loadSent()
  if (ended !== 'success' || order === null) return
  for (let asked = 0; asked < askFor; asked += 1) {
    const sent = $shown.get()
    if (sent.state === 'visitor') return
    if (sent.state === 'ready' && sent.gifts.some(({ id }) => id === order)) {
      clearDraft()
      $arrived.set(order)
      return
    }
    if (asked === 1) showToast({ type: 'info', message: texts.waiting })
    await new Promise(resolve => setTimeout(resolve, askEveryMs))
    await loadSent()
  }
  showToast({ type: 'warning', message: paymentTexts.stillWaiting })
}

/** Refunds an unredeemed booklet, then loads the list again. @returns the message of a failure; null: done */
export async function refundGift({ id, amount }: GiftRecord): Promise<string | null> {
  const result = await authorised(requestRefund, { params: { id }, body: { amount } })
  await loadSent()
  return result.ok ? null : result.message
}

/** Private data: reload when the user changes. */
followSession(() => {
  if (turn === 0) return
  $shown.set({ state: 'loading' })
  void loadSent()
})
