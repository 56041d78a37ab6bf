import { atom, type ReadableAtom } from 'nanostores'
import { type EndReason, endReasonText } from '#lib/calls/end-reasons.ts'
import { localPath } from '#lib/i18n/path.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import type { NumberVerdict } from '#lib/numbers/phone.ts'
import { asksPriceConfirmation, mayAskPriceConfirmation } from '#lib/numbers/prefixes.ts'
import type { PendingCall } from '#session/pending-call.ts'
import { $session, start, tokenKey } from '#session/session.ts'
import { localStore, pendingCallKey } from '#session/storage.ts'
import { redirectWithToast } from '#session/toasts.ts'
import { $user, loadUser } from '#session/user.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { type Callee, isLive } from '#voice/call.ts'
import { notify } from '../notice.ts'
import { $dial, $extension, verdictNow } from '../number/dial.ts'
import { type Rate, settleRate } from '../number/rate.ts'
import { texts } from '../texts.ts'
import { $call, callLine } from './call.ts'
import { $freeCall } from './free-call.ts'
import { confirmPrice } from './price-question.ts'

type Callable = Extract<NumberVerdict, { readonly kind: 'ok' }>

/** Counts presses of Call. A press for another number supersedes a waiting one. */
let presses = 0

const silentMs = 300

const $shown = atom(false)
/** Call was pressed, but the checks before the call take noticeably long. */
export const $placing: ReadableAtom<boolean> = $shown

interface Press {
  readonly dial: ReturnType<typeof $dial.get>
  readonly extension: string
}

/** The waiting press; pressing again for the same number changes nothing. */
let waiting: Press | null = null
let confirmationTimer: ReturnType<typeof setTimeout> | undefined

function beginWait(press: Press): void {
  waiting = press
  clearTimeout(confirmationTimer)
  confirmationTimer = setTimeout(() => $shown.set(true), silentMs)
}

/** The result shows itself: the call, a question, or a rejection. */
function endWait(): void {
  waiting = null
  clearTimeout(confirmationTimer)
  $shown.set(false)
}

/** The rate including the surcharge of the user's caller ID; needs the user. */
async function ownRate(e164: string): Promise<Rate> {
  if ($user.get() === null) await loadUser()
  return settleRate(e164)
}

/** Micro-dollars per minute; 0 for the free call to an eligible destination (PD-20), null if unknown. */
async function rateFor(e164: string): Promise<number | null> {
  const rate = await ownRate(e164)
  if (rate.kind !== 'known') return null
  return $freeCall.get() && rate.freeMinutes > 0 ? 0 : rate.microUsdPerMinute
}

function calleeOf(verdict: Callable, extension: string): Callee {
  const { e164, formatted, isoCode } = verdict
  return { e164, formatted, extension, country: entryOfNumber(e164, isoCode) }
}

function placementRejection(): EndReason | null {
  if ($session.get().status !== 'signed_in') return { kind: 'refused', message: texts.signUp }
  return $user.get()?.can_call === false ? { kind: 'call_blocked' } : null
}

function sendToRegister(): void {
  const { country, typed } = $dial.get()
  // As `keepPendingCall` does, without its code: what keeps the number when a page is left may not be loaded yet.
  const call: PendingCall = {
    country: country.id,
    typed,
    extension: $extension.get(),
    formatted: typed,
    atMs: Date.now(),
  }
  localStore.write(pendingCallKey, JSON.stringify(call))
  redirectWithToast(localPath('/register'), { type: 'info', message: texts.signUp })
}

/** A visitor who hung up meanwhile stays on the page. */
async function admission(press: number): Promise<EndReason | null> {
  await start()
  if ($session.get().status !== 'signed_in' && press === presses && isLive($call.get())) sendToRegister()
  return placementRejection()
}

/** A stored token is probably valid, so the call may show before the session has started. */
function isLikelySignedIn(): boolean {
  return $session.get().status === 'loading' && localStore.read(tokenKey) !== null
}

/** Requires a known price (PD-66), except on the free call, which costs nothing (PD-20). */
async function acceptsPrice(verdict: Callable, callee: Callee, press: number): Promise<boolean> {
  const [rate, costs] = await Promise.all([ownRate(verdict.e164), rateFor(verdict.e164)])
  if (press !== presses) return false
  if (rate.kind === 'estimate') {
    notify({ tone: 'bad', text: texts.priceUnread })
    return false
  }
  if (rate.kind !== 'known' || costs === 0 || !asksPriceConfirmation(verdict.e164, rate.rateKind)) return true
  endWait()
  return confirmPrice({ callee, microUsdPerMinute: rate.microUsdPerMinute })
}

/** Calls the number of this moment, unless a call is live. Checks by PD-34: visitor, restricted, emergency, dial code, impossible number. */
export async function placeCall(): Promise<void> {
  if (isLive($call.get())) return
  const [dial, extension] = [$dial.get(), $extension.get()]
  if (waiting?.dial === dial && waiting.extension === extension) return
  presses += 1
  const press = presses
  beginWait({ dial, extension })
  try {
    await checkAndPlace(press, { dial, extension })
  } finally {
    if (press === presses) endWait()
  }
}

function ring(callee: Callee, admission: Promise<EndReason | null>): Promise<void> {
  endWait()
  return callLine.place({ callee, rate: rateFor(callee.e164), admission })
}

async function checkAndPlace(press: number, { dial, extension }: Press): Promise<void> {
  const seen = verdictNow()
  if (seen?.kind === 'ok' && !mayAskPriceConfirmation(seen.e164) && isLikelySignedIn())
    return ring(calleeOf(seen, extension), admission(press))
  await start()
  if (press !== presses) return
  const rejection = placementRejection()
  if (rejection?.kind === 'refused') return sendToRegister()
  if (rejection !== null) return notify({ tone: 'bad', text: endReasonText(rejection) })
  const { parseNumber, verdictMessage } = await loadPhoneRules()
  if (press !== presses) return
  const verdict = seen ?? parseNumber(dial.typed, dial.country)
  if (verdict.kind === 'ok') {
    const callee = calleeOf(verdict, extension)
    if (mayAskPriceConfirmation(verdict.e164) && !(await acceptsPrice(verdict, callee, press))) return
    return ring(callee, Promise.resolve(null))
  }
  const text = verdictMessage(verdict)
  if (text === undefined) return
  notify({ tone: 'bad', text, remedy: 'number' })
}
