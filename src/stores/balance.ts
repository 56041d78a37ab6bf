import { atom, type ReadableAtom } from 'nanostores'
import { type KnownBalance, type Metered, shownBalanceMicroUsd } from '#lib/rules/balance.ts'
import { type Call, isAnswered, isLive } from '#lib/rules/call.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { $call } from './call.ts'
import { $user, loadUser } from './user.ts'

export interface ShownBalance {
  /** Micro-dollars to show; null while nobody has told. */
  readonly microUsd: number | null
  /** The last attempt to fetch it failed. */
  readonly stale: boolean
}

const $shown = atom<ShownBalance>({ microUsd: null, stale: false })
/** The balance as the page shows it (decision 17). Written here alone. */
export const $balance: ReadableAtom<ShownBalance> = $shown

let known: KnownBalance | null = null
let metered: Metered | null = null
let ticking: ReturnType<typeof setInterval> | undefined

function show(stale = $shown.get().stale): void {
  const microUsd = known === null ? null : shownBalanceMicroUsd(known, metered, performance.now())
  const last = $shown.get()
  if (last.microUsd !== microUsd || last.stale !== stale) $shown.set({ microUsd, stale })
}

/** Takes the server's word for the balance, in USD. */
export function tellBalance(credits: number): void {
  const microUsd = usdToMicroUsd(credits)
  const nowMs = performance.now()
  const call = $call.get()
  if (metered?.untilMs !== null) metered = null
  // The first minute's charge may arrive before this page has heard the answer.
  if (isLive(call) && !isAnswered(call) && known !== null && microUsd < known.microUsd) {
    meterFrom(call.rateMicroUsd, nowMs)
  }
  known = { microUsd, atMs: nowMs }
  show(false)
}

function meterFrom(rateMicroUsd: number | null, fromMs: number): void {
  if (rateMicroUsd === null || rateMicroUsd === 0 || metered !== null) return
  metered = { rateMicroUsd, fromMs, untilMs: null }
  ticking = setInterval(show, 1000)
}

function follow(call: Call): void {
  if (isAnswered(call)) meterFrom(call.rateMicroUsd, call.answeredAtMs)
  if (!isLive(call) && metered !== null && metered.untilMs === null) {
    metered = { ...metered, untilMs: performance.now() }
    clearInterval(ticking)
  }
  show()
}

/** Asks the server for the balance; when that fails, the page says so and offers to try again. */
export async function refreshBalance(): Promise<void> {
  const user = await loadUser()
  if (user === null) show(true)
}

/** Keeps the balance in step with the user and the call. */
export function followBalance(): void {
  $user.subscribe(user => {
    if (user !== null) return tellBalance(user.credits)
    known = null
    show()
  })
  $call.listen(follow)
}
