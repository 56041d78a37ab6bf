import { atom, type ReadableAtom } from 'nanostores'
import { testCall, testCallToken } from '#lib/api/test-call.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { authorised } from '#session/api.ts'
import { consumeSecret } from '#session/consumed-secret.ts'
import { followSession } from '#session/follow-session.ts'
import { createPrivateResource, type Resource } from '#session/private-resource.ts'
import { $callerIds } from '#shared/caller-ids/caller-ids.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { isLive } from '#voice/call.ts'
import { $call, callLine } from '../call/call.ts'
import { markTestCall } from '../call/is-test-call.ts'

const resource = createPrivateResource<Date | null>(async () => {
  const result = await authorised(testCall, {}, { skipLogoutOnFail: true })
  if (!result.ok) return result
  const { nextAt } = result.value
  return { ok: true, value: nextAt === null ? null : new Date(nextAt) }
})
/** When the next free test call may be; null if it may be now. */
export const $nextTestCall: ReadableAtom<Resource<Date | null>> = resource.$state

const $asked = atom<string | null>(null)
/** The user's own number, E.164, that a link asks to call; null without one. */
export const $linkedTest: ReadableAtom<string | null> = $asked

let awaited = false

/** Whether a link asks for a test call; nothing else may cover the dialler then. */
export function isTestLinked(): boolean {
  return awaited || $asked.get() !== null
}

/** Shows nothing of an earlier answer meanwhile: a test call may have been made since. */
export function loadNextTestCall(): Promise<void> {
  resource.reset()
  return resource.load()
}

export type TestPlacing = 'placed' | 'not_loaded' | 'in_call'

/** Shows the current caller ID. The server decides whether it may. @param number E.164, verified */
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
  const testToken = () => authorised(testCallToken, {})
  void callLine.place({ callee, rate: Promise.resolve(0), testToken })
  markTestCall($call.get())
  return 'placed'
}

/** Handles `/call#test=%2B447…`; asks once the number is known to be the user's own. */
export function followTestLink(): void {
  const number = consumeSecret('test')
  if (number === null) return
  awaited = true
  const stop = $callerIds.subscribe(numbers => {
    if (numbers === null) return
    awaited = false
    if (numbers.includes(number)) $asked.set(number)
    // `subscribe` calls back before `stop` is assigned.
    queueMicrotask(() => stop())
  })
}

export function dismissLinkedTest(): void {
  $asked.set(null)
}

followSession(dismissLinkedTest)
