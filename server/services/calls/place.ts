import { formatCharge } from '#lib/rules/money.ts'
import { affordableMinutes, freeCallMinutes, msPerMinute } from '#lib/rules/pricing.ts'
import type { Db } from '../../db/port.ts'
import type { CallAttempt, Placement, RefusalCode } from '../../telephony/port.ts'
import { isCallerIdOf } from '../caller-ids.ts'
import type { Services } from '../context.ts'
import { lockUser, type UserRow } from '../users.ts'
import { type Destination, findDestination } from './destination.ts'
import { refusalMessage } from './refusals.ts'
import { countLiveCalls } from './rows.ts'

/**
 * Decides about one attempt to call: who may, where to, and for how long. A call that may go on is
 * written down, its free call reserved, before anything rings.
 */
export async function placeCall(services: Services, attempt: CallAttempt): Promise<Placement> {
  const destination = findDestination(services, attempt.to)
  return services.db.transaction(async tx => {
    const user = await lockUser(tx, attempt.userId)
    if (user?.can_call !== true) return refuse('call_blocked')
    if (user.email_verified_at === null) return refuse('email_unverified')
    if (typeof destination === 'string') return refuse(destination)
    const from = attempt.callerId
    // Decision 24: only a number that this very user has verified, and has not removed since.
    if (from !== undefined && !(await isCallerIdOf(tx, user.id, from)))
      return refuse('caller_id_not_verified')
    if ((await countLiveCalls(tx, user.id)) >= services.policy.concurrentCalls)
      return refuse('too_many_calls')
    const terms = termsFor(services, user, destination.rateMicroUsd)
    if (terms === undefined) {
      const wouldBeFree = user.free_call === 'available'
      return refuse('no_credits', wouldBeFree ? notFreeMessage(services, destination) : undefined)
    }
    const callId = await write(tx, services, { user, destination, from, ...terms })
    return { kind: 'connect', callId, to: destination.to, from, limitMs: terms.limitMs }
  })
}

/** Free first where the destination is eligible, else what the balance covers; undefined when it covers no minute. */
function termsFor(
  { policy }: Services,
  user: UserRow,
  rateMicroUsd: number,
): { free: boolean; limitMs: number } | undefined {
  const free = user.free_call === 'available' ? freeCallMinutes(rateMicroUsd, policy.freeCall) : 0
  const minutes = free > 0 ? free : affordableMinutes(user.balance, rateMicroUsd)
  if (minutes === 0) return undefined
  return { free: free > 0, limitMs: Math.min(minutes, policy.longestCallMinutes) * msPerMinute }
}

async function write(
  tx: Db,
  services: Services,
  call: {
    user: UserRow
    destination: Destination
    from: string | undefined
    free: boolean
    limitMs: number
  },
): Promise<string> {
  const callId = services.random.uuid()
  const { user, destination } = call
  await tx.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, node,
       caller_id)
     values ($1, $2, $3, $4, $5, $6, $7, 'placed', $8, $9, $10)`,
    [
      callId,
      user.id,
      destination.to,
      destination.isoCode,
      destination.rateMicroUsd,
      call.free,
      call.limitMs,
      services.clock.now(),
      services.nodeId,
      call.from ?? null,
    ],
  )
  if (call.free) await tx.query(`update app_user set free_call = 'reserved' where id = $1`, [user.id])
  return callId
}

/** Decision 20: a free call that does not reach this far is kept, and the caller told why. */
function notFreeMessage({ policy }: Services, { rateMicroUsd }: Destination): string {
  const worth = formatCharge(policy.freeCall.worthMicroUsd)
  return `Your free call covers rates up to ${worth} a minute. This number costs ${formatCharge(rateMicroUsd)}.`
}

function refuse(code: RefusalCode, message = refusalMessage[code]): Placement {
  return { kind: 'refuse', code, message }
}
