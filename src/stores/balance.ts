import { atom, type ReadableAtom } from 'nanostores'
import { isOverdrawn, type KnownBalance, type Metered, shownBalanceMicroUsd } from '#lib/rules/balance.ts'
import { type Call, isAnswered, isLive } from '#lib/rules/call.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { $call } from './call.ts'
import { $session } from './session.ts'
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
let onOverdrawn: () => void = () => undefined

/** The server and the network end a call in time; the page does so itself only this much later. */
const overdrawnGraceMs = 3000

/** Each second of a charged call. */
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

/** Takes the server's word for the balance, in USD. */
export function tellBalance(credits: number): void {
  const microUsd = usdToMicroUsd(credits)
  const nowMs = performance.now()
  const call = $call.get()
  if (metered?.untilMs !== null) metered = null
  // The first minute's charge may arrive before this page has heard the answer; a fall by another amount
  // settles an earlier call.
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

/** An earlier call that the server has not settled yet: what it cost stays off the balance during this one. */
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

/** Asks the server for the balance; when that fails, the page says so and offers to try again. */
export async function refreshBalance(): Promise<void> {
  const user = await loadUser()
  if (user === null && $session.get().status !== 'signed_out') show(true)
}

/**
 * Keeps the balance in step with the user and the call.
 * @param overdrawn told each second while a call goes on that the balance no longer covers
 */
export function followBalance(overdrawn: () => void = () => undefined): void {
  onOverdrawn = overdrawn
  $user.subscribe(user => {
    if (user !== null) return tellBalance(user.credits)
    known = null
    show(false)
  })
  $call.listen(follow)
}
