import * as z from 'zod/mini'
import { minuteMs } from '#lib/time.ts'
import { userOf } from '#session/follow-session.ts'
import { $session, start } from '#session/session.ts'
import { consumeFromTab, tabStore } from '#session/storage.ts'
import { type Call, isAnswered } from '#voice/call.ts'
import { settle } from '../call-ended/after-call.ts'
import { $call } from './call.ts'

/** Shown only to its user. */
const leftCall = z.object({
  userId: z.string(),
  callId: z.nullable(z.string()),
  callee: z.object({
    e164: z.string(),
    formatted: z.string(),
    extension: z.string(),
    country: z.object({ name: z.string(), isoCode: z.string(), emoji: z.string(), dialCode: z.string() }),
  }),
  talkedMs: z.number(),
  /** Unix milliseconds. */
  leftAtMs: z.number(),
})
type LeftCall = z.output<typeof leftCall>

const key = 'leftCall'
/** After this time the user has moved on; the history has the call. */
const maxAgeMs = 5 * minuteMs

/** The call that ended in the current task. */
let justEnded: Extract<Call, { readonly state: 'ended' }> | null = null

function noteEnd(call: Call): void {
  if (call.state !== 'ended') return
  justEnded = call
  setTimeout(() => {
    justEnded = null
  })
}

/** Keeps an answered call for the next page. `dialler.ts` may already have hung up at the same event. */
function keep(): void {
  const call = justEnded ?? $call.get()
  const userId = userOf($session.get())
  const talkedMs = isAnswered(call) ? performance.now() - call.answeredAtMs : justEnded?.talkedMs
  if (call.state === 'idle' || talkedMs === undefined || talkedMs === null || userId === null) return
  const { callId, callee } = call
  const left: LeftCall = { userId, callId, callee, talkedMs, leftAtMs: Date.now() }
  tabStore.write(key, JSON.stringify(left))
}

function consumeLeftCall(): LeftCall | null {
  try {
    const left = z.parse(leftCall, JSON.parse(consumeFromTab(key) ?? 'null'))
    return Date.now() - left.leftAtMs <= maxAgeMs ? left : null
  } catch {
    return null // Missing, or written by other code.
  }
}

/** Shows how a call ended that a reload or leaving the page has cut off. Counts as hung up by the user. */
export async function followLeftCall(): Promise<void> {
  $call.listen(noteEnd)
  window.addEventListener('pagehide', keep)
  // A page from the back/forward cache shows the outcome itself.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) tabStore.remove(key)
  })
  const left = consumeLeftCall()
  if (left === null) return
  await start()
  if (userOf($session.get()) !== left.userId) return
  const { callId, callee, talkedMs } = left
  const endReason = { kind: 'caller_hung_up' } as const
  const ofAnotherPage = { state: 'ended', attempt: 0, attemptId: null, rateMicroUsd: null } as const
  await settle({ ...ofAnotherPage, callId, callee, endReason, talkedMs }, $call.get())
}
