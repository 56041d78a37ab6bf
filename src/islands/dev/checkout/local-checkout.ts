import { atom, type ReadableAtom } from 'nanostores'
import {
  authenticateCheckout,
  type CheckoutView,
  type Delivery,
  payCheckout,
  viewCheckout,
} from '#lib/api/local-checkout.ts'
import { goInstead } from '#session/navigation.ts'
import { request } from '#session/transport.ts'

export type LocalCheckout =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready'
      readonly view: CheckoutView
      /** Paid in this visit; the page is about to leave. */
      readonly leaving: boolean
    }

const $shown = atom<LocalCheckout>({ state: 'loading' })
export const $localCheckout: ReadableAtom<LocalCheckout> = $shown

/** How often a paid page checks whether the merchant's webhook has answered. */
const pollMs = 500
/** Long enough to read that it is paid. */
const leavesAfterMs = 1_500

let ref = ''

export async function loadCheckout(): Promise<void> {
  ref = new URL(window.location.href).searchParams.get('session') ?? ''
  if (ref === '') return $shown.set({ state: 'missing' })
  const reply = await request(viewCheckout, { params: { ref } })
  if (reply.ok) $shown.set({ state: 'ready', view: reply.value, leaving: false })
  else if (reply.status === 404 || reply.status === 400) $shown.set({ state: 'missing' })
  else $shown.set({ state: 'failed', message: reply.message })
}

export interface PaidWith {
  /** Digits only; the expiry as MMYY. */
  readonly number: string
  readonly expiry: string
  readonly code: string
}

/** @returns why it was refused, fit to be shown; null if it was not */
export async function pay(card: PaidWith, delivery: Delivery): Promise<string | null> {
  return applyAnswer(await request(payCheckout, { params: { ref }, body: { ...card, delivery } }))
}

/** Answers the bank's authentication. @returns why that failed, fit to be shown; null if it did not */
export async function authenticate(approved: boolean): Promise<string | null> {
  return applyAnswer(await request(authenticateCheckout, { params: { ref }, body: { approved } }))
}

type Answer =
  | { readonly ok: true; readonly value: CheckoutView }
  | { readonly ok: false; readonly message: string }

async function applyAnswer(answer: Answer): Promise<string | null> {
  if (answer.ok) {
    show(answer.value)
    return null
  }
  // The checkout may have changed, by the rejection or by a request whose answer was lost.
  const now = await request(viewCheckout, { params: { ref } })
  if (now.ok) show(now.value)
  return now.ok && now.value.state === 'paid' ? null : answer.message
}

function show(view: CheckoutView): void {
  const before = $shown.get()
  const already = before.state === 'ready' && before.leaving
  $shown.set({ state: 'ready', view, leaving: already || view.state === 'paid' })
  if (view.state === 'paid' && !already) void leave(view.successUrl)
}

/** Returns to the merchant; until then shows whether its webhook has answered. */
async function leave(successUrl: string): Promise<void> {
  const end = performance.now() + leavesAfterMs
  while (performance.now() < end) {
    await new Promise(resolve => setTimeout(resolve, pollMs))
    const reply = await request(viewCheckout, { params: { ref } })
    if (reply.ok) show(reply.value)
  }
  goInstead(successUrl)
}
