import { atom, computed, type ReadableAtom } from 'nanostores'
import { changeCaps, getSpending, lockCountries as lockEndpoint, type Spending } from '#lib/api/spending.ts'
import { countryOfIso } from '#lib/rules/countries.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { type Caps, spendingTexts } from '#lib/rules/spending.ts'
import { authorised } from './api.ts'
import { $call } from './call.ts'
import { tellOwnLimit } from './caution.ts'
import { $verdict } from './dial.ts'
import { followSession } from './follow-session.ts'
import { $notice, dismissNotice } from './notice.ts'
import { $rate } from './rate.ts'
import type { ApiResult } from './transport.ts'
import { $user } from './user.ts'

export type SpendingState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly spending: Spending }

const loading: SpendingState = { state: 'loading' }
const $shown = atom<SpendingState>(loading)
/** What the signed-in user lets calls spend. Written here alone. */
export const $spending: ReadableAtom<SpendingState> = $shown

/** Counts questions and changes, so that an answer from before a change is dropped. */
let turn = 0
/** The change before: each answer is the whole, so the last one asked for must come last. */
let changing: Promise<unknown> = Promise.resolve()

/** Asks what is set and spent. What is known stays when no answer comes. */
export async function loadSpending(): Promise<void> {
  turn += 1
  const mine = turn
  if ($shown.get().state === 'failed') $shown.set(loading)
  const result = await authorised(getSpending, {}, { skipLogoutOnFail: true })
  if (mine !== turn) return
  if (result.ok) $shown.set({ state: 'ready', spending: result.value })
  else if ($shown.get().state !== 'ready') $shown.set({ state: 'failed', message: result.message })
}

type Change = typeof changeCaps | typeof lockEndpoint

/** One change after the other; its answer is not shown to whoever is signed in by then. */
async function change<E extends Change>(send: () => Promise<ApiResult<E>>): Promise<ApiResult<E>> {
  const before = changing
  const mine = (async () => {
    await before
    turn += 1
    const asked = turn
    const result = await send()
    if (result.ok && asked === turn) $shown.set({ state: 'ready', spending: result.value as Spending })
    return result
  })()
  changing = mine.catch(() => undefined)
  return mine
}

/** Sets the caps, in USD and whole cents; null for none. */
export function saveCaps(
  perCall: number | null,
  perMonth: number | null,
): Promise<ApiResult<typeof changeCaps>> {
  return change(() => authorised(changeCaps, { body: { perCall, perMonth } }))
}

/** Locks these countries and no others. */
export function saveLocked(locked: readonly string[]): Promise<ApiResult<typeof lockEndpoint>> {
  return change(() => authorised(lockEndpoint, { body: { locked: [...locked] } }))
}

/** Which limit of their own would have the number in the field refused, as far as the page knows. */
const $ownLimit = computed([$shown, $verdict, $rate, $user], (shown, verdict, rate, user) => {
  if (shown.state !== 'ready' || verdict?.kind !== 'ok' || user === null) return null
  const { spending } = shown
  if (spending.locked.includes(verdict.isoCode))
    return spendingTexts.locked(countryOfIso(verdict.isoCode)?.name ?? verdict.isoCode)
  if (rate.kind !== 'known' || rate.number !== verdict.e164) return null
  // A free call spends nothing.
  if (!user.has_used_free_call && rate.freeMinutes > 0) return null
  return capWords(
    {
      perCall: spending.perCall === null ? null : usdToMicroUsd(spending.perCall),
      perMonth: spending.leftThisMonth === null ? null : usdToMicroUsd(spending.leftThisMonth),
    },
    rate.microUsdPerMinute,
  )
})

/** @param caps the month's is what is left of it */
function capWords({ perCall, perMonth }: Caps, rateMicroUsd: number): string | null {
  if (perCall !== null && perCall < rateMicroUsd) return spendingTexts.callCap(perCall, rateMicroUsd)
  if (perMonth === null || perMonth >= rateMicroUsd) return null
  return perMonth === 0 ? spendingTexts.monthReached : spendingTexts.monthCap(perMonth, rateMicroUsd)
}

/**
 * Keeps the dialler told of the user's own limits: asked for when it is known who it is, after each call, and when the page is
 * come back to. What is told is a word ahead; the server decides.
 */
export function followSpending(): void {
  let userId: string | null = null
  let stale = false
  $call.listen(call => {
    if (call.state === 'ended' && call.talkedMs !== null) stale = true
  })
  // After a call the user is asked for anew once it is settled.
  $user.subscribe(user => {
    if (user === null || (user.id === userId && !stale)) return
    userId = user.id
    stale = false
    void loadSpending()
  })
  $ownLimit.subscribe(text => {
    // What the last call cost has been read by whoever enters the next number.
    if (text !== null && $notice.get()?.tone === 'info' && $call.get().state === 'idle') dismissNotice()
    tellOwnLimit(text)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && $user.get() !== null) void loadSpending()
  })
}

followSession(() => {
  turn += 1
  $shown.set(loading)
})
