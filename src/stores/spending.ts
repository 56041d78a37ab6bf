import { atom, computed, type ReadableAtom } from 'nanostores'
import { changeCaps, getSpending, lockCountries as lockEndpoint, type Spending } from '#lib/api/spending.ts'
import { isLive } from '#lib/rules/call.ts'
import { countryOfIso } from '#lib/rules/countries.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { spendingTexts } from '#lib/rules/spending.ts'
import { authorised } from './api.ts'
import { $call } from './call.ts'
import { setSpendingWarning } from './caution.ts'
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
export const $spending: ReadableAtom<SpendingState> = $shown

/** Counts loads and changes, to ignore answers from before a change. */
let turn = 0
/** The previous change. Each answer is the whole state, so changes run one at a time. */
let changing: Promise<unknown> = Promise.resolve()

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

/** Caps in USD and whole cents; null for none. An omitted cap stays, because another page may have set it. */
export interface CapChanges {
  readonly perCall?: number | null
  readonly perMonth?: number | null
}

export function saveCaps(changes: CapChanges): Promise<ApiResult<typeof changeCaps>> {
  return change(() => authorised(changeCaps, { body: changes }))
}

/** Locks and unlocks countries by ISO code; the others stay, because another page may have changed them. */
export function saveLocked(
  lock: readonly string[],
  unlock: readonly string[],
): Promise<ApiResult<typeof lockEndpoint>> {
  return change(() => authorised(lockEndpoint, { body: { lock: [...lock], unlock: [...unlock] } }))
}

/** The user's own limit that would reject the number in the field, as far as the page knows. */
const $ownLimit = computed(
  [$shown, $verdict, $rate, $user, $freeCall],
  (shown, verdict, rate, user, free) => {
    if (shown.state !== 'ready' || verdict?.kind !== 'ok' || user === null) return null
    const { spending } = shown
    if (spending.locked.includes(verdict.isoCode))
      return spendingTexts.locked(countryOfIso(verdict.isoCode)?.name ?? verdict.isoCode)
    if (rate.kind !== 'known' || rate.number !== verdict.e164) return null
    if (free && rate.freeMinutes > 0) return null
    return capText(spending, rate.microUsdPerMinute)
  },
)

/** Which cap allows no minute at a rate, in the server's text; null if none does. */
export function capText(
  { perCall, perMonth, spentThisMonth, leftThisMonth }: Spending,
  rateMicroUsd: number,
): string | null {
  const ofCall = perCall === null ? null : usdToMicroUsd(perCall)
  if (ofCall !== null && ofCall < rateMicroUsd) return spendingTexts.callCap(ofCall, rateMicroUsd)
  if (perMonth === null || leftThisMonth === null) return null
  const left = usdToMicroUsd(leftThisMonth)
  if (left >= rateMicroUsd) return null
  // The charges so far would allow a minute, but another live call may still need it.
  if (usdToMicroUsd(perMonth) - usdToMicroUsd(spentThisMonth) >= rateMicroUsd) return spendingTexts.monthHeld
  return left === 0 ? spendingTexts.monthReached : spendingTexts.monthCap(left, rateMicroUsd)
}

/**
 * Loads the limits for a new user, after each call, and when the page becomes visible. The server decides.
 */
export function followSpending(): void {
  let userId: string | null = null
  let stale = false
  /** Whether the number was edited since the last call; if so, the user has read what the call cost. */
  let edited = true
  let before = $dial.get()
  const showMessage = (text: string | null) => {
    if (text !== null && edited && !isLive($call.get())) dismissReadNotice()
    setSpendingWarning(text)
  }
  $call.listen(call => {
    if (isLive(call)) edited = false
    else if (call.state === 'ended' && call.talkedMs !== null) stale = true
  })
  $dial.listen(dial => {
    if (dial.typed === before.typed && dial.country === before.country) return
    before = dial
    edited = true
    showMessage($ownLimit.get())
  })
  $user.subscribe(user => {
    const same = (user?.id ?? null) === userId
    userId = user?.id ?? null
    if (user === null || (same && !stale)) return
    stale = false
    void loadSpending()
  })
  $ownLimit.subscribe(showMessage)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && $user.get() !== null) void loadSpending()
  })
}

followSession(() => {
  turn += 1
  $shown.set(loading)
})
