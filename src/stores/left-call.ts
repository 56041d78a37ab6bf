import * as z from 'zod/mini'
import { type Call, isAnswered } from '#lib/rules/call.ts'
import { settle } from './after-call.ts'
import { $call } from './call.ts'
import { userOf } from './follow-session.ts'
import { $session, start } from './session.ts'
import { tabStore, takeFromTab } from './storage.ts'

/** A call that ended because its page was left. Of one user: nobody else is told of it. */
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
/** Who comes back later than this has gone on to something else: the history tells. */
const newsMs = 5 * 60_000

/** A call that has ended in this very task. */
let justEnded: Extract<Call, { readonly state: 'ended' }> | null = null

function noteEnd(call: Call): void {
  if (call.state !== 'ended') return
  justEnded = call
  setTimeout(() => {
    justEnded = null
  })
}

/**
 * Hands an answered call on to the next page: this one will not live to say what it cost. The page hangs up at the same event
 * (`dialler.ts`), and may have done so by now: a window calls its listeners in the order in which they came.
 */
function keep(): void {
  const call = justEnded ?? $call.get()
  const userId = userOf($session.get())
  const talkedMs = isAnswered(call) ? performance.now() - call.answeredAtMs : justEnded?.talkedMs
  if (call.state === 'idle' || talkedMs === undefined || talkedMs === null || userId === null) return
  const { callId, callee } = call
  const left: LeftCall = { userId, callId, callee, talkedMs, leftAtMs: Date.now() }
  tabStore.write(key, JSON.stringify(left))
}

function take(): LeftCall | null {
  try {
    const left = z.parse(leftCall, JSON.parse(takeFromTab(key) ?? 'null'))
    return Date.now() - left.leftAtMs <= newsMs ? left : null
  } catch {
    return null // There was none, or something else wrote under this key.
  }
}

/**
 * Tells of a call that a reload, or leaving the page, has ended: on the next page with a dialler in this tab, once, as after
 * any other call. The caller did end it, so it is told as hung up.
 */
export async function followLeftCall(): Promise<void> {
  $call.listen(noteEnd)
  window.addEventListener('pagehide', keep)
  // Back from the browser's memory it is this very page, which tells by itself.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) tabStore.remove(key)
  })
  const left = take()
  if (left === null) return
  await start()
  if (userOf($session.get()) !== left.userId) return
  const { callId, callee, talkedMs } = left
  const ending = { kind: 'caller_hung_up' } as const
  const ofAnotherPage = { state: 'ended', attempt: 0, attemptId: null, rateMicroUsd: null } as const
  await settle({ ...ofAnotherPage, callId, callee, ending, talkedMs }, $call.get())
}
