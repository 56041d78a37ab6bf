import type { Services } from '../context.ts'
import { hangUpWithoutCredits } from './meter.ts'
import { callAnswered } from './progress.ts'
import { type CallRow, type LiveCall, liveCalls } from './rows.ts'
import { settleCall, settleLostCall } from './settle.ts'

/** A call is written down a moment before the network learns of it: younger ones are left alone. */
export const placingGraceMs = 10_000

/**
 * A process that has written no heartbeat of a call for so long is dead, or cut off from the books: six
 * heartbeats. The clocks of all processes must agree to well within this.
 */
export const silenceMs = 30_000

/**
 * Compares the calls that we hold for live with what the telephone network knows, and settles those
 * that are over. Where the network knows nothing (it died with its process), the call ended at its last
 * written heartbeat, capped at its limit: at once if it was this process's own, after `silenceMs` if another's,
 * whose network only that one can ask (decision record 10). Run at start, before any call can be placed,
 * without a grace, and twice a minute.
 * @param graceMs own calls younger than this may be unknown to the network only because they are so young
 * @returns how many calls were settled.
 */
export async function reconcileCalls(services: Services, graceMs: number): Promise<number> {
  let settled = 0
  const silentSince = new Date(services.clock.now().getTime() - silenceMs)
  for (const call of await liveCalls(services.db, services.nodeId, silentSince)) {
    try {
      if (await reconcileCall(services, call, graceMs)) settled += 1
    } catch (error) {
      services.log.error({ err: error, callId: call.id }, 'reconciling a call failed')
    }
  }
  return settled
}

async function reconcileCall(services: Services, call: LiveCall, graceMs: number): Promise<boolean> {
  const known = await services.telephony.inspect(call.id)
  switch (known.kind) {
    case 'live':
      if (known.answeredMs !== null && call.answered_at === null) {
        await callAnswered(services, call.id, known.answeredMs)
      }
      if (call.exhausted) await hangUpWithoutCredits(services, call.id)
      return false
    case 'ended':
      return settleCall(services, { callId: call.id, answeredMs: known.answeredMs, end: known.end })
    case 'over':
      // Said by shared networks only, whose calls are none of these.
      return false
    case 'unknown':
      return settleLostCall(services, call.id, locked => isLost(services, locked, graceMs))
  }
}

function isLost({ clock, nodeId }: Services, call: CallRow, graceMs: number): boolean {
  const now = clock.now().getTime()
  // The age of an own call is below zero when the clock was set back since: then it is not a young one.
  if (call.node === nodeId) return Math.abs(now - call.placed_at.getTime()) >= graceMs
  return now - (call.heartbeat_at ?? call.placed_at).getTime() >= silenceMs
}
