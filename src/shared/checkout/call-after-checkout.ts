import * as z from 'zod/mini'
import { hourMs } from '#lib/time.ts'
import { callAfterCheckoutKey as key, tabStore } from '#session/storage.ts'
import { storedUserId } from '#session/stored-user.ts'

const record = z.object({
  e164: z.string(),
  isoCode: z.string(),
  /** DTMF to play after the answer; empty for none. */
  extension: z.string(),
  /** Who was to call; null if that is not known. */
  userId: z.nullable(z.string()),
  /** Unix milliseconds. */
  keptAtMs: z.number(),
})
/** Whom to call once the credits are there. */
export type CalleeAfterCheckout = Omit<z.output<typeof record>, 'userId' | 'keptAtMs'>

/** As long as a checkout can be paid. */
const maxAgeMs = 2 * hourMs

/** Keeps the callee in this tab while the browser is at the provider's checkout. @param nowMs Unix milliseconds */
export function keepCalleeForCheckout(callee: CalleeAfterCheckout, nowMs: number): void {
  tabStore.write(key, JSON.stringify({ ...callee, userId: storedUserId(), keptAtMs: nowMs }))
}

/**
 * The kept callee, once; null if there is none, it is too old or another user's. While nobody is signed in, a user's stays for
 * when they are back. @param nowMs Unix milliseconds
 */
export function consumeCalleeAfterCheckout(nowMs: number): CalleeAfterCheckout | null {
  try {
    const { userId, keptAtMs, ...callee } = z.parse(record, JSON.parse(tabStore.read(key) ?? 'null'))
    const isOurs = userId === null || userId === storedUserId()
    if (isOurs || storedUserId() !== null) tabStore.remove(key)
    return isOurs && Math.abs(nowMs - keptAtMs) <= maxAgeMs ? callee : null
  } catch {
    return null // Missing, or written by other code.
  }
}
