import { atom, type ReadableAtom } from 'nanostores'
import { type Callee, isLive } from '#lib/rules/call.ts'
import { type CallEnding, endingText } from '#lib/rules/call-endings.ts'
import { entryOfNumber } from '#lib/rules/countries.ts'
import { keepDialable } from '#lib/rules/dialable.ts'
import { emergencyNumberIn } from '#lib/rules/emergency.ts'
import { texts } from '#lib/rules/error-texts.ts'
import type { NumberVerdict } from '#lib/rules/phone.ts'
import { asksPriceConfirmation, mayAskPriceConfirmation } from '#lib/rules/prefixes.ts'
import { $call, callLine } from './call.ts'
import { $dial, $extension, $verdict, loadPhoneRules } from './dial.ts'
import { $freeCall } from './free-call.ts'
import { notify } from './notice.ts'
import { confirmPrice } from './price-question.ts'
import { settleRate } from './rate.ts'
import { $session, start, tokenKey } from './session.ts'
import { localStore } from './storage.ts'
import { redirectWithToast } from './toasts.ts'
import { $user, loadUser } from './user.ts'

type Callable = Extract<NumberVerdict, { readonly kind: 'ok' }>

const signUp = texts.dialler.visitor

/** Counts presses of Call: while one waits for the page to be ready, one for another number takes its place. */
let presses = 0

/** A wait shows itself from here on (specification: each of over 300 ms does). */
const silentMs = 300

const $shown = atom(false)
/** Call was pressed, and what it asks for first takes its time: nothing rings yet. Written here alone. */
export const $placing: ReadableAtom<boolean> = $shown

/** What was entered when Call was pressed. */
interface Press {
  readonly dial: ReturnType<typeof $dial.get>
  readonly extension: string
}

/** The press that waits; the same once more changes nothing. */
let waiting: Press | null = null
let patience: ReturnType<typeof setTimeout> | undefined

function beginWait(press: Press): void {
  waiting = press
  clearTimeout(patience)
  patience = setTimeout(() => $shown.set(true), silentMs)
}

/** What follows shows by itself: the call, a question, or why there is none. */
function endWait(): void {
  waiting = null
  clearTimeout(patience)
  $shown.set(false)
}

/** What a minute will cost: nothing on the free call where the destination is eligible (decision 20). */
async function rateFor(e164: string): Promise<number | null> {
  const [rate] = await Promise.all([settleRate(e164), $user.get() ?? loadUser()])
  if (rate.kind !== 'known') return null
  return $freeCall.get() && rate.freeMinutes > 0 ? 0 : rate.microUsdPerMinute
}

function calleeOf(verdict: Callable, extension: string): Callee {
  const { e164, formatted, isoCode } = verdict
  return { e164, formatted, extension, country: entryOfNumber(e164, isoCode) }
}

/** What keeps this person from calling, whatever the number. */
function refusal(): CallEnding | null {
  if ($session.get().status !== 'signed_in') return { kind: 'refused', message: signUp }
  return $user.get()?.can_call === false ? { kind: 'call_blocked' } : null
}

function sendToRegister(): void {
  redirectWithToast('/register', { type: 'info', message: signUp })
}

/** Whether the caller may call, as soon as the page knows who it is. One who hung up meanwhile stays here. */
async function admission(press: number): Promise<CallEnding | null> {
  await start()
  if ($session.get().status !== 'signed_in' && press === presses && isLive($call.get())) sendToRegister()
  return refusal()
}

/** Whoever has a token will most likely be signed in: the call may show before the session has started. */
function isLikelySignedIn(): boolean {
  return $session.get().status === 'loading' && localStore.read(tokenKey) !== null
}

const priceUnread = 'We could not read the price of this number. Try again in a moment.'

/** A dear range is called only once its price has been read; on the free call there is none (decision 20). */
async function acceptsPrice(verdict: Callable, callee: Callee, press: number): Promise<boolean> {
  const [rate, costs] = await Promise.all([settleRate(verdict.e164), rateFor(verdict.e164)])
  if (press !== presses) return false
  if (rate.kind === 'estimate') {
    notify({ tone: 'bad', text: priceUnread })
    return false
  }
  if (rate.kind !== 'known' || costs === 0 || !asksPriceConfirmation(verdict.e164, rate.lineKind)) return true
  endWait()
  return confirmPrice({ callee, microUsdPerMinute: rate.microUsdPerMinute })
}

/**
 * The press of Call, for the number as it is at the press. Checks in the order of decision 34: visitor,
 * restricted, emergency, dial code, impossible number; the line goes on with the token and the voice.
 */
export async function placeCall(): Promise<void> {
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

/** The call shows itself. */
function ring(callee: Callee, admission?: Promise<CallEnding | null>): Promise<void> {
  endWait()
  return callLine.place(callee, rateFor(callee.e164), admission)
}

async function checkAndPlace(press: number, { dial, extension }: Press): Promise<void> {
  const { country, typed } = dial
  const seen = $verdict.get()
  if (seen?.kind === 'ok' && !mayAskPriceConfirmation(seen.e164) && isLikelySignedIn())
    return ring(calleeOf(seen, extension), admission(press))
  await start()
  if (press !== presses) return
  const refused = refusal()
  if (refused?.kind === 'refused') return sendToRegister()
  if (refused !== null) return notify({ tone: 'bad', text: endingText(refused) })
  const { parseNumber, verdictMessage } = await loadPhoneRules()
  if (press !== presses) return
  const verdict = parseNumber(typed, country)
  if (verdict.kind === 'ok') {
    const callee = calleeOf(verdict, extension)
    if (mayAskPriceConfirmation(verdict.e164) && !(await acceptsPrice(verdict, callee, press))) return
    return ring(callee)
  }
  const text = verdictMessage(verdict)
  if (text === undefined) return
  const phone = verdict.kind === 'emergency' ? { phone: emergencyNumberIn(keepDialable(typed)) } : {}
  notify({ tone: 'bad', text, remedy: 'number', ...phone })
}
