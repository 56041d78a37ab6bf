import { atom, computed, type ReadableAtom } from 'nanostores'
import { changeCaps, getSpending, lockCountries as lockEndpoint, type Spending } from '#lib/api/spending.ts'
import { isLive } from '#lib/rules/call.ts'
import { countryOfIso } from '#lib/rules/countries.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { spendingTexts } from '#lib/rules/spending.ts'
import { authorised } from './api.ts'
import { $call } from './call.ts'
import { tellOwnLimit } from './caution.ts'
import { $dial, $verdict } from './dial.ts'
import { followSession } from './follow-session.ts'
import { $freeCall } from './free-call.ts'
import { dismissReadNotice } from './notice.ts'
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

/** Asks what is set and spent, after a change that is on its way. What is known stays when no answer comes. */
export async function loadSpending(): Promise<void> {
  if ($shown.get().state === 'failed') $shown.set(loading)
  await changing
  turn += 1
  const mine = turn
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

/** Caps in USD and whole cents, null for none. One that is left out stays: another page may have set it meanwhile. */
export interface CapChanges {
  readonly perCall?: number | null
  readonly perMonth?: number | null
}

export function saveCaps(changes: CapChanges): Promise<ApiResult<typeof changeCaps>> {
  return change(() => authorised(changeCaps, { body: changes }))
}

/** Locks and unlocks countries, by ISO code; the others stay as another page may have left them. */
export function saveLocked(
  lock: readonly string[],
  unlock: readonly string[],
): Promise<ApiResult<typeof lockEndpoint>> {
  return change(() => authorised(lockEndpoint, { body: { lock: [...lock], unlock: [...unlock] } }))
}

/** Which limit of their own would have the number in the field refused, as far as the page knows. */
const $ownLimit = computed(
  [$shown, $verdict, $rate, $user, $freeCall],
  (shown, verdict, rate, user, free) => {
    if (shown.state !== 'ready' || verdict?.kind !== 'ok' || user === null) return null
    const { spending } = shown
    if (spending.locked.includes(verdict.isoCode))
      return spendingTexts.locked(countryOfIso(verdict.isoCode)?.name ?? verdict.isoCode)
    if (rate.kind !== 'known' || rate.number !== verdict.e164) return null
    // A free call spends nothing.
    if (free && rate.freeMinutes > 0) return null
    return capWordsOf(spending, rate.microUsdPerMinute)
  },
)

/** Which cap leaves no minute at a rate, in the server's words; null where none does. */
export function capWordsOf(
  { perCall, perMonth, spentThisMonth, leftThisMonth }: Spending,
  rateMicroUsd: number,
): string | null {
  const ofCall = perCall === null ? null : usdToMicroUsd(perCall)
  if (ofCall !== null && ofCall < rateMicroUsd) return spendingTexts.callCap(ofCall, rateMicroUsd)
  if (perMonth === null || leftThisMonth === null) return null
  const left = usdToMicroUsd(leftThisMonth)
  if (left >= rateMicroUsd) return null
  // Charged so far the calls leave a minute: it is what another may yet cost that does not.
  if (usdToMicroUsd(perMonth) - usdToMicroUsd(spentThisMonth) >= rateMicroUsd) return spendingTexts.monthHeld
  return left === 0 ? spendingTexts.monthReached : spendingTexts.monthCap(left, rateMicroUsd)
}

/**
 * Keeps the dialler told of the user's own limits: asked for when it is known who it is, after each call, and when the page is
 * come back to. What is told is a word ahead; the server decides.
 */
export function followSpending(): void {
  let userId: string | null = null
  let stale = false
  /** Whether the number was touched since the last call: what that cost has been read by then. */
  let edited = true
  let before = $dial.get()
  const tell = (text: string | null) => {
    if (text !== null && edited && !isLive($call.get())) dismissReadNotice()
    tellOwnLimit(text)
  }
  $call.listen(call => {
    if (isLive(call)) edited = false
    else if (call.state === 'ended' && call.talkedMs !== null) stale = true
  })
  $dial.listen(dial => {
    if (dial.typed === before.typed && dial.country === before.country) return
    before = dial
    edited = true
    tell($ownLimit.get())
  })
  // After a call the user is asked for anew once it is settled.
  $user.subscribe(user => {
    const same = (user?.id ?? null) === userId
    userId = user?.id ?? null
    if (user === null || (same && !stale)) return
    stale = false
    void loadSpending()
  })
  $ownLimit.subscribe(tell)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && $user.get() !== null) void loadSpending()
  })
}

followSession(() => {
  turn += 1
  $shown.set(loading)
})
