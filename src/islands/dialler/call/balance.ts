import { atom, type ReadableAtom } from 'nanostores'
import { isOverdrawn, type KnownBalance, type Metered, shownBalanceMicroUsd } from '#lib/money/balance.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { $session } from '#session/session.ts'
import { $user, loadUser } from '#session/user.ts'
import { type Call, isAnswered, isLive } from '#voice/call.ts'
import { $call } from './call.ts'

export interface ShownBalance {
  /** Null until the server has sent it. */
  readonly microUsd: number | null
  readonly stale: boolean
}

const $shown = atom<ShownBalance>({ microUsd: null, stale: false })
/** The balance as shown (PD-17). */
export const $balance: ReadableAtom<ShownBalance> = $shown

let known: KnownBalance | null = null
let metered: Metered | null = null
let ticking: ReturnType<typeof setInterval> | undefined
let onOverdrawn: () => void = () => undefined

/** The server and the carrier end a call in time; the page does so only this much later. */
const overdrawnGraceMs = 3000

function tick(): void {
  show()
  const graceOverMs = performance.now() - overdrawnGraceMs
  if (known !== null && metered?.untilMs === null && isOverdrawn(known, metered, graceOverMs)) onOverdrawn()
}

function show(stale = $shown.get().stale): void {
  const microUsd = known === null ? null : shownBalanceMicroUsd(known, metered, performance.now())
  const last = $shown.get()
  if (last.microUsd !== microUsd || last.stale !== stale) $shown.set({ microUsd, stale })
}

/** Sets the balance from the server. @param credits USD */
export function setBalance(credits: number): void {
  const microUsd = usdToMicroUsd(credits)
  const nowMs = performance.now()
  const call = $call.get()
  if (metered?.untilMs !== null) metered = null
  // The first minute's charge may arrive before this page sees the answer. A fall by another amount settles
  // an earlier call.
  if (
    isLive(call) &&
    !isAnswered(call) &&
    known !== null &&
    known.microUsd - microUsd === call.rateMicroUsd
  ) {
    meterFrom(call.rateMicroUsd, nowMs)
  }
  known = { microUsd, atMs: nowMs }
  show(false)
}

function meterFrom(rateMicroUsd: number | null, fromMs: number): void {
  if (rateMicroUsd === null || rateMicroUsd === 0) return
  if (metered !== null) {
    if (metered.untilMs === null) return
    bookEarlierCall(metered, metered.untilMs)
  }
  metered = { rateMicroUsd, fromMs, untilMs: null }
  ticking = setInterval(tick, 1000)
}

/** Keeps the cost of an earlier, unsettled call off the balance during this one. */
function bookEarlierCall(earlier: Metered, untilMs: number): void {
  if (known !== null) known = { microUsd: shownBalanceMicroUsd(known, earlier, untilMs), atMs: untilMs }
}

function follow(call: Call): void {
  if (isAnswered(call)) meterFrom(call.rateMicroUsd, call.answeredAtMs)
  if (!isLive(call) && metered !== null && metered.untilMs === null) {
    metered = { ...metered, untilMs: performance.now() }
    clearInterval(ticking)
  }
  show()
}

export async function refreshBalance(): Promise<void> {
  const user = await loadUser()
  if (user === null && $session.get().status !== 'signed_out') show(true)
}

/** @param overdrawn called every second of a call that the balance no longer covers */
export function followBalance(overdrawn: () => void = () => undefined): void {
  onOverdrawn = overdrawn
  $user.subscribe(user => {
    if (user !== null) return setBalance(user.credits)
    known = null
    show(false)
  })
  $call.listen(follow)
}
