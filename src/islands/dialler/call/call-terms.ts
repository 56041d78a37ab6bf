import { atom, type ReadableAtom } from 'nanostores'
import { call as callEndpoint } from '#lib/api/calls.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { authorised } from '#session/api.ts'
import { isAnswered } from '#voice/call.ts'
import { $balance } from './balance.ts'
import { $call, callLine } from './call.ts'

const $limit = atom<number | null>(null)
/** From the answer to the carrier's end of the call, in whole minutes; null if unknown. */
export const $limitMinutes: ReadableAtom<number | null> = $limit

/** Only the server knows the rate and the limit of an answered call. A failure keeps the known ones. */
async function ask(callId: string): Promise<void> {
  const result = await authorised(callEndpoint, { params: { id: callId } }, { skipLogoutOnFail: true })
  const call = $call.get()
  if (!result.ok || !isAnswered(call) || call.callId !== callId) return
  const { free, ratePerMinute, limitMinutes, state } = result.value
  if (state === 'ended') return
  callLine.price(free ? 0 : usdToMicroUsd(ratePerMinute))
  $limit.set(limitMinutes ?? null)
}

let asked: string | null = null

/** Reloads the terms: a cap raised elsewhere lets the call last longer. */
export function refreshTerms(callId: string): void {
  if (callId === asked) void ask(callId)
}

/** Loads the terms when the call is answered and whenever the balance has grown. */
export function followTerms(): void {
  let balance: number | null = null
  $call.subscribe(call => {
    if (!isAnswered(call)) {
      asked = null
      if ($limit.get() !== null) $limit.set(null)
      return
    }
    if (call.callId === null || call.callId === asked) return
    asked = call.callId
    void ask(call.callId)
  })
  $balance.subscribe(({ microUsd }) => {
    const grown = microUsd !== null && balance !== null && microUsd > balance
    balance = microUsd
    if (grown && asked !== null) void ask(asked)
  })
}
