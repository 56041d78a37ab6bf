import { atom, type ReadableAtom } from 'nanostores'
import { testCall, testCallToken } from '#lib/api/test-call.ts'
import { isLive } from '#lib/rules/call.ts'
import { entryOfNumber } from '#lib/rules/countries.ts'
import { authorised } from './api.ts'
import { $call, callLine } from './call.ts'
import { $callerIds } from './caller-ids.ts'
import { loadPhoneRules } from './dial.ts'
import { followSession } from './follow-session.ts'
import { markTestCall } from './is-test-call.ts'

/** When the next test call may be. */
export type TestCallTurn =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  /** `nextAt` is null where it may be now. */
  | { readonly state: 'known'; readonly nextAt: Date | null }

const loading: TestCallTurn = { state: 'loading' }
const $turnOf = atom<TestCallTurn>(loading)
/** Whether a test call may be made now. Written here alone. */
export const $testCallTurn: ReadableAtom<TestCallTurn> = $turnOf

const $asked = atom<string | null>(null)
/** The own number, E.164, that a link asks to call; null without one. Written here alone. */
export const $linkedTest: ReadableAtom<string | null> = $asked

/** A link has put the question, and which numbers are the user's own is not known yet. */
let awaited = false

/** Whether a link asks for a test call: nothing else comes over the dialler then. */
export function isTestLinked(): boolean {
  return awaited || $asked.get() !== null
}

/** Counts questions, so that an answer to an older one is dropped. */
let turn = 0

export async function loadTestCall(): Promise<void> {
  turn += 1
  const mine = turn
  $turnOf.set(loading)
  const result = await authorised(testCall, {}, { skipLogoutOnFail: true })
  if (mine !== turn) return
  if (!result.ok) return $turnOf.set({ state: 'failed', message: result.message })
  const { nextAt } = result.value
  $turnOf.set({ state: 'known', nextAt: nextAt === null ? null : new Date(nextAt) })
}

/** Nothing is called where the numbering plans did not load, and where a call of this page's goes on. */
export type TestPlacing = 'placed' | 'not_loaded' | 'in_call'

/**
 * Calls an own number, showing what calls show now. The server decides whether it may be; this page's line is the phone.
 * @param number E.164, verified
 */
export async function placeTestCall(number: string): Promise<TestPlacing> {
  const rules = await loadPhoneRules().catch(() => null)
  if (rules === null) return 'not_loaded'
  const verdict = rules.parseNumber(number, entryOfNumber(number, ''))
  const known = verdict.kind === 'ok' ? verdict : { e164: number, formatted: number, isoCode: '' }
  const callee = {
    e164: known.e164,
    formatted: known.formatted,
    extension: '',
    country: entryOfNumber(known.e164, known.isoCode),
  }
  if (isLive($call.get())) return 'in_call'
  const askToken = () => authorised(testCallToken, {})
  void callLine.place(callee, Promise.resolve(0), Promise.resolve(null), askToken)
  markTestCall($call.get())
  return 'placed'
}

/** Takes the number of `/call?test=%2B447…` out of the address, once it is known to be one of the user's own. */
export function followTestLink(): void {
  const address = new URL(window.location.href)
  const number = address.searchParams.get('test')
  if (number === null) return
  address.searchParams.delete('test')
  window.history.replaceState(window.history.state, '', address)
  awaited = true
  const stop = $callerIds.subscribe(numbers => {
    if (numbers === null) return
    awaited = false
    if (numbers.includes(number)) $asked.set(number)
    // The subscription tells what is known at once, before it can be ended.
    queueMicrotask(() => stop())
  })
}

/** The question that a link has put was answered, one way or the other. */
export function dismissLinkedTest(): void {
  $asked.set(null)
}

followSession(() => {
  turn += 1
  $turnOf.set(loading)
  $asked.set(null)
})
