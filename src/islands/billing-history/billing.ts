import { atom, type ReadableAtom } from 'nanostores'
import {
  type BillingFilter,
  type BillingLine,
  billing as billingEndpoint,
  maxLinesPerPage,
} from '#lib/api/billing.ts'
import type { Reply } from '#lib/api/endpoint.ts'
import { refundOffer, requestRefund } from '#lib/api/payments.ts'
import { localPath } from '#lib/i18n/path.ts'
import { authorised } from '#session/api.ts'
import { followSession, rememberUser } from '#session/follow-session.ts'
import { goToLogin } from '#session/navigation.ts'
import { $session, loggedOutHere, start } from '#session/session.ts'
import { loadUser } from '#session/user.ts'
import { billingCsv } from './billing-csv.ts'
import { texts } from './texts.ts'

export type Billing =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready'
      readonly lines: readonly BillingLine[]
      /** The filter of these lines. */
      readonly show: BillingFilter
      readonly nextCursor: string | null
      readonly more: 'idle' | 'loading' | 'failed'
    }

const $shown = atom<Billing>({ state: 'loading' })
export const $billing: ReadableAtom<Billing> = $shown

const $chosen = atom<BillingFilter>('all')
/** The list follows once its lines are loaded. */
export const $billingFilter: ReadableAtom<BillingFilter> = $chosen

/** Counts loads, to ignore outdated answers. */
let opening = 0
const sendToLogin = () => goToLogin(localPath('/billing-history'))

/** Loads the newest lines, also to retry. Visitors are sent to log in and return. */
export async function openBilling(): Promise<void> {
  $shown.set({ state: 'loading' })
  await load()
}

export async function chooseFilter(show: BillingFilter): Promise<void> {
  $chosen.set(show)
  await load()
}

async function load(): Promise<void> {
  opening += 1
  const mine = opening
  const show = $chosen.get()
  await start()
  if (mine !== opening) return
  if ($session.get().status !== 'signed_in') return sendToLogin()
  const result = await authorised(billingEndpoint, { query: { show } })
  if (mine !== opening) return
  if (result.ok) return $shown.set({ state: 'ready', ...result.value, show, more: 'idle' })
  if (result.status === 401) return sendToLogin()
  $shown.set({ state: 'failed', message: result.message })
}

/** Appends the next older page. Does nothing while one is loading or if there is none. */
export async function showMore(): Promise<void> {
  const billing = $shown.get()
  if (billing.state !== 'ready' || billing.more === 'loading' || billing.nextCursor === null) return
  const mine = opening
  $shown.set({ ...billing, more: 'loading' })
  const result = await authorised(billingEndpoint, {
    query: { show: billing.show, cursor: billing.nextCursor },
  })
  if (mine !== opening) return
  if (!result.ok) {
    if (result.status === 401) return sendToLogin()
    return $shown.set({ ...billing, more: 'failed' })
  }
  const { lines, nextCursor } = result.value
  $shown.set({ ...billing, lines: [...billing.lines, ...lines], nextCursor, more: 'idle' })
}

export type LoadResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }

/** All lines of the filter as CSV, newest first, over all pages. Never mixes the lines of two users. */
export async function loadCsv(): Promise<LoadResult<string>> {
  const all: BillingLine[] = []
  const show = $chosen.get()
  const isSameUser = rememberUser()
  let cursor: string | undefined
  do {
    const result = await authorised(billingEndpoint, { query: { show, cursor, limit: maxLinesPerPage } })
    if (!isSameUser()) return { ok: false, message: texts.otherUser }
    if (!result.ok) return { ok: false, message: result.message }
    all.push(...result.value.lines)
    cursor = result.value.nextCursor ?? undefined
  } while (cursor !== undefined)
  return { ok: true, value: billingCsv(all) }
}

export type RefundOffer = Reply<typeof refundOffer>

export async function askRefundOffer(paymentId: string): Promise<LoadResult<RefundOffer>> {
  return authorised(refundOffer, { params: { id: paymentId } })
}

/** Requests the offered refund, then reloads the lines. @param amountUsd of the offer, in USD */
export async function askRefund(
  paymentId: string,
  amountUsd: number,
): Promise<LoadResult<Reply<typeof requestRefund>>> {
  const result = await authorised(requestRefund, { params: { id: paymentId }, body: { amount: amountUsd } })
  if (result.ok || result.code === 'already_asked' || result.code === 'refund_refused') {
    await Promise.all([load(), loadUser()])
  }
  return result
}

/** Private data: reload when the user changes. */
followSession(() => {
  if (opening === 0) return
  opening += 1
  $shown.set({ state: 'loading' })
  $chosen.set('all')
  if (loggedOutHere()) return
  void openBilling()
  void loadUser()
})
