import type { Services } from '../context.ts'
import { type CallRow, liveCalls } from './rows.ts'
import { settleCall } from './settle.ts'

/**
 * Compares the calls that we hold for live with what the telephone network knows, and settles those
 * that are over. Where the network knows nothing (it died with us), the call ended at its last written
 * heartbeat, capped at its limit. Run at start and every minute.
 * @returns how many calls were settled.
 */
export async function reconcileCalls(services: Services): Promise<number> {
  let settled = 0
  for (const call of await liveCalls(services.db)) {
    const known = await services.telephony.inspect(call.id)
    switch (known.kind) {
      case 'live':
        break
      case 'ended':
        await settleCall(services, { callId: call.id, answeredMs: known.answeredMs, end: known.end })
        settled += 1
        break
      case 'unknown':
        if (isBeingPlaced(services, call)) break
        await settleCall(services, {
          callId: call.id,
          answeredMs: msUntilHeartbeat(call),
          end: 'connection_lost',
        })
        settled += 1
        break
    }
  }
  return settled
}

/** A call is written down a moment before the network learns of it. */
const placingMs = 10_000
function isBeingPlaced({ clock, startedAt }: Services, call: CallRow): boolean {
  return call.placed_at >= startedAt && clock.now().getTime() - call.placed_at.getTime() < placingMs
}

function msUntilHeartbeat(call: CallRow): number | null {
  if (call.answered_at === null) return null
  const until = call.heartbeat_at ?? call.answered_at
  return Math.max(0, until.getTime() - call.answered_at.getTime())
}
