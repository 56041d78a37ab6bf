import type { Services } from '../../context.ts'
import { callAnswered } from '../carrier/progress.ts'
import { hangUpWithoutCredits } from '../metering/meter.ts'
import { type CallRow, type LiveCall, liveCalls } from '../rows.ts'
import { settleCall, settleLostCall } from './settle.ts'

/** A call is saved a moment before the network learns of it, so younger calls are skipped. */
export const placingGraceMs = 10_000

/** A process without a heartbeat for this long (six of them) counts as dead. All clocks must agree to well within this. */
export const silenceMs = 30_000

/**
 * Compares our live calls with the telephone network and settles those that are over. A call that the network does not
 * know died with its process: it ended at its last heartbeat, capped at its limit. Our own is settled at once, another
 * process's after `silenceMs`, since only that process can ask its network (ADR-10).
 * @param graceMs own calls younger than this may not be known to the network yet
 * @returns how many were settled
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
  // A network may end a call that nobody carries when it is asked. The list is older than a heartbeat may be.
  if (call.node !== services.nodeId && !(await isSilent(services, call.id))) return false
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
      // Only shared networks report this, and their calls are not among these.
      return false
    case 'unknown':
      return settleLostCall(services, call.id, locked => isLost(services, locked, graceMs))
  }
}

async function isSilent({ db, clock }: Services, callId: string): Promise<boolean> {
  const since = new Date(clock.now().getTime() - silenceMs)
  const silent = await db.query(
    'select id from call where id = $1 and coalesce(heartbeat_at, placed_at) <= $2',
    [callId, since],
  )
  return silent.length > 0
}

function isLost({ clock, nodeId }: Services, call: CallRow, graceMs: number): boolean {
  const now = clock.now().getTime()
  // The age is negative if the clock was set back; such a call is not young.
  if (call.node === nodeId) return Math.abs(now - call.placed_at.getTime()) >= graceMs
  return now - (call.heartbeat_at ?? call.placed_at).getTime() >= silenceMs
}
