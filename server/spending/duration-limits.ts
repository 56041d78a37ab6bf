import { affordableMinutes } from '#lib/money/pricing.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { boundOf, spendingRoom } from './caps.ts'
import { limitsOf, unheldBalance } from './trust-tier.ts'

/** Locks a user's live calls and their meters before the balance changes. Lock order: user, call, meter, account. */
export async function lockLiveCalls(tx: Db, userId: string): Promise<void> {
  await tx.query(
    `select id from call where user_id = $1 and state <> 'ended' and not free order by id for update`,
    [userId],
  )
  await tx.query(
    `select call_id from call_meter join call on call.id = call_id
     where call.user_id = $1 and call.state <> 'ended' order by call_id for update of call_meter`,
    [userId],
  )
}

interface RunningCall {
  readonly id: string
  readonly rate: number
  readonly limit_ms: number
  readonly placed_at: Date
  readonly minutes: number | null
}

/**
 * Raises the limits of charged calls to what the balance and the caps now cover; never lowers one. Call `lockLiveCalls`
 * before changing the balance, and `sendRaisedLimits` after the commit.
 */
export async function raiseLimits(tx: Db, services: Services, userId: string): Promise<void> {
  const calls = await tx.query<RunningCall>(
    `select call.id, call.rate, call.limit_ms, call.placed_at, call_meter.minutes
     from call left join call_meter on call_id = call.id
     where call.user_id = $1 and call.state <> 'ended' and not call.free
       and coalesce(call_meter.state, 'running') = 'running'
     order by placed_at, call.id`,
    [userId],
  )
  if (calls.length === 0) return
  const { longestCallMinutes } = await limitsOf(tx, services, userId)
  for (const { id, rate, limit_ms, placed_at: placedAt, minutes } of calls) {
    // Older calls are served first; what other calls hold is not available.
    const covered = (minutes ?? 0) + affordableMinutes(await unheldBalance(tx, userId, id), rate)
    const open = Math.min(covered, longestCallMinutes)
    const room = await spendingRoom(tx, services, userId, { rateMicroUsd: rate, placedAt, id })
    const cap = boundOf(room, covered, longestCallMinutes)
    if (open * minuteMs <= limit_ms) {
      // A cap that was raised or removed no longer ends the call there.
      if (room.minutes * minuteMs > limit_ms)
        await tx.query('update call set cap = $2 where id = $1 and cap is distinct from $2', [id, cap])
      continue
    }
    const limit = Math.min(open, room.minutes)
    if (limit * minuteMs <= limit_ms) {
      // The balance would now last longer, so the cap ends the call.
      await tx.query('update call set cap = $2 where id = $1', [id, cap])
      continue
    }
    await tx.query('update call set limit_ms = $2, limit_raised = true, cap = $3 where id = $1', [
      id,
      limit * minuteMs,
      cap,
    ])
    // A meter that has paid its last minute continues where that minute ends.
    await tx.query(
      `update call_meter set max_minutes = $2, next_charge_at = coalesce(next_charge_at,
         (select answered_at from call where id = $1) + minutes * interval '60 seconds' + interval '1 millisecond')
       where call_id = $1`,
      [id, limit],
    )
  }
}

export async function sendRaisedLimits(services: Services, callIds: readonly string[]): Promise<void> {
  const { db, telephony } = services
  const raised = await db.query<{ id: string; limit_ms: number }>(
    `select id, limit_ms from call where id = any($1::uuid[]) and limit_raised and state <> 'ended'`,
    [callIds],
  )
  for (const { id, limit_ms } of raised) {
    try {
      await telephony.setLimit(id, limit_ms)
      await db.query('update call set limit_raised = false where id = $1 and limit_ms = $2', [id, limit_ms])
    } catch (error) {
      services.log.error({ err: error, callId: id }, 'could not raise the duration limit of a running call')
    }
  }
}

/** For the user's calls of this process. Others follow by heartbeat or, on a shared network, `enforce-carrier-calls.ts`. */
export async function sendRaisedLimitsOf(services: Services, userId: string): Promise<void> {
  const own = await services.db.query<{ id: string }>(
    `select id from call where user_id = $1 and node = $2 and state <> 'ended' and limit_raised`,
    [userId, services.nodeId],
  )
  if (own.length > 0)
    await sendRaisedLimits(
      services,
      own.map(({ id }) => id),
    )
}
