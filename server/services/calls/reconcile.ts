import type { Services } from '../context.ts'
import { hangUpUnpaid } from './meter.ts'
import { type CallRow, liveCalls } from './rows.ts'
import { settleCall } from './settle.ts'

/** A call is written down a moment before the network learns of it: younger ones are left alone. */
export const placingGraceMs = 10_000

/**
 * Compares the calls that we hold for live with what the telephone network knows, and settles those
 * that are over. Where the network knows nothing (it died with us), the call ended at its last written
 * heartbeat, capped at its limit. Run at start, before any call can be placed, without a grace, and every minute.
 * @param graceMs calls younger than this may be unknown to the network only because they are so young
 * @returns how many calls were settled.
 */
export async function reconcileCalls(services: Services, graceMs: number): Promise<number> {
  let settled = 0
  for (const call of await liveCalls(services.db)) {
    try {
      if (await reconcileCall(services, call, graceMs)) settled += 1
    } catch (error) {
      services.log.error({ err: error, callId: call.id }, 'reconciling a call failed')
    }
  }
  return settled
}

async function reconcileCall(services: Services, call: CallRow, graceMs: number): Promise<boolean> {
  const known = await services.telephony.inspect(call.id)
  switch (known.kind) {
    case 'live':
      if (await isExhausted(services, call.id)) await hangUpUnpaid(services, [call.id])
      return false
    case 'ended':
      await settleCall(services, { callId: call.id, answeredMs: known.answeredMs, end: known.end })
      return true
    case 'unknown':
      if (Math.abs(ageMs(services, call)) < graceMs) return false
      await settleCall(services, {
        callId: call.id,
        answeredMs: msUntilHeartbeat(call),
        end: 'server_stopping',
      })
      return true
  }
}

async function isExhausted({ db }: Services, callId: string): Promise<boolean> {
  const rows = await db.query(`select 1 from call_meter where call_id = $1 and state = 'exhausted'`, [callId])
  return rows.length > 0
}

/** Negative when the clock was set back since. */
function ageMs({ clock }: Services, call: CallRow): number {
  return clock.now().getTime() - call.placed_at.getTime()
}

function msUntilHeartbeat(call: CallRow): number | null {
  if (call.answered_at === null) return null
  const until = call.heartbeat_at ?? call.answered_at
  return Math.max(0, until.getTime() - call.answered_at.getTime())
}
