import { atom, type ReadableAtom } from 'nanostores'
import { call as callEndpoint } from '#lib/api/calls.ts'
import { isAnswered } from '#lib/rules/call.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { authorised } from './api.ts'
import { $balance } from './balance.ts'
import { $call, callLine } from './call.ts'

const $limit = atom<number | null>(null)
/** Whole minutes after which the network ends the answered call, as the server last said; null while unknown. Written here alone. */
export const $limitMinutes: ReadableAtom<number | null> = $limit

/**
 * Asks the server what an answered call really costs, and how long it may last: whether it is the free one is decided there,
 * and balance, caps and limits are known there alone. Without an answer the page goes by what it knew before.
 */
async function ask(callId: string): Promise<void> {
  const result = await authorised(callEndpoint, { params: { id: callId } }, { skipLogoutOnFail: true })
  const call = $call.get()
  if (!result.ok || !isAnswered(call) || call.callId !== callId) return
  const { free, ratePerMinute, limitMinutes, state } = result.value
  if (state === 'ended') return
  callLine.price(free ? 0 : usdToMicroUsd(ratePerMinute))
  $limit.set(limitMinutes ?? null)
}

/** The call whose terms were asked for, while it is answered. */
let asked: string | null = null

/** The server has news of an answered call: a cap that was raised elsewhere lets it last longer. */
export function refreshTerms(callId: string): void {
  if (callId === asked) void ask(callId)
}

/** Keeps the terms of the answered call: asked for when it is answered, and when the balance has grown. */
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
