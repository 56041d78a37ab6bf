import * as z from 'zod/mini'
import { hourMs } from '#lib/time.ts'
import { consumeFromTab, tabStore } from '#session/storage.ts'

const record = z.object({
  e164: z.string(),
  isoCode: z.string(),
  /** DTMF to play after the answer; empty for none. */
  extension: z.string(),
  /** Unix milliseconds. */
  keptAtMs: z.number(),
})
/** Whom to call once the credits are there. */
export type CalleeAfterCheckout = Omit<z.output<typeof record>, 'keptAtMs'>

const key = 'callAfterCheckout'
/** As long as a checkout can be paid. */
const maxAgeMs = 2 * hourMs

/** Keeps the callee in this tab while the browser is at the provider's checkout. @param nowMs Unix milliseconds */
export function keepCalleeForCheckout(callee: CalleeAfterCheckout, nowMs: number): void {
  tabStore.write(key, JSON.stringify({ ...callee, keptAtMs: nowMs }))
}

/** The kept callee, once; null if there is none or it is too old. @param nowMs Unix milliseconds */
export function consumeCalleeAfterCheckout(nowMs: number): CalleeAfterCheckout | null {
  try {
    const { keptAtMs, ...callee } = z.parse(record, JSON.parse(consumeFromTab(key) ?? 'null'))
    return Math.abs(nowMs - keptAtMs) <= maxAgeMs ? callee : null
  } catch {
    return null // Missing, or written by other code.
  }
}
