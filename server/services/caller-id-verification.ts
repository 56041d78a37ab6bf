import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../db/port.ts'
import type {
  RefusalCode,
  VerificationCode,
  VerificationEnd,
  VerificationFailure,
} from '../telephony/port.ts'
import { isCallerIdOf } from './caller-ids.ts'
import { type Destination, findDestination, type NoDestination } from './calls/destination.ts'
import type { Services } from './context.ts'
import { lockUser } from './users.ts'

export type VerificationRefusal =
  | NoDestination
  | Extract<RefusalCode, 'call_blocked' | 'email_unverified'>
  | VerificationFailure
  | 'already_verified'

/** `too_soon`: the gap between two calls; the others: so many a day. */
export interface VerificationLimit {
  readonly ok: false
  readonly code: 'too_soon' | 'too_many_by_user' | 'too_many_to_number'
  /** When the next one will be let through. */
  readonly waitMs: number
}

export type VerificationStart = Result<VerificationCode, VerificationRefusal> | VerificationLimit

const dayMs = 24 * 3600 * 1000

/**
 * Has a number rung and asked for a code, if it is one that we would call anyway and the limits allow it
 * (product decisions, 'Fraud limits'). Each call is written down before it is made, and counts unless the network surely
 * did not make it.
 */
export async function startVerification(
  services: Services,
  userId: string,
  typed: string,
): Promise<VerificationStart> {
  const destination = findDestination(services, typed)
  const admitted = await services.db.transaction(tx => admit(services, tx, userId, destination))
  if (!admitted.ok) return admitted
  const { verificationId, number } = admitted.value
  const started = await services.telephony.verifyNumber({ verificationId, number })
  if (!started.ok && started.code !== 'lost')
    await writeEnd(services, { verificationId, outcome: 'not_called' })
  return started
}

async function admit(
  services: Services,
  tx: Db,
  userId: string,
  destination: Destination | NoDestination,
): Promise<
  | Result<{ readonly verificationId: string; readonly number: string }, VerificationRefusal>
  | VerificationLimit
> {
  const user = await lockUser(tx, userId)
  if (user?.can_call !== true) return failure('call_blocked')
  if (user.email_verified_at === null) return failure('email_unverified')
  if (typeof destination === 'string') return failure(destination)
  const number = destination.to
  if (await isCallerIdOf(tx, userId, number)) return failure('already_verified')
  // Several users may ask for the same number at once.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`verification:${number}`])
  const limit = await findLimit(services, tx, userId, number)
  if (limit !== undefined) return limit
  const verificationId = services.random.uuid()
  await tx.query(
    'insert into verification_call (id, user_id, phone_number, asked_at) values ($1, $2, $3, $4)',
    [verificationId, userId, number, services.clock.now()],
  )
  return success({ verificationId, number })
}

async function findLimit(
  { clock, policy }: Services,
  tx: Db,
  userId: string,
  number: string,
): Promise<VerificationLimit | undefined> {
  const nowMs = clock.now().getTime()
  const calls = await tx.query<{ user_id: string; phone_number: string; asked_at: Date }>(
    `select user_id, phone_number, asked_at from verification_call
     where (user_id = $1 or phone_number = $2) and asked_at > $3 and outcome is distinct from 'not_called'
     order by asked_at desc`,
    [userId, number, new Date(nowMs - dayMs)],
  )
  const waits = (at: Date | undefined, ms: number) => (at === undefined ? 0 : at.getTime() + ms - nowMs)
  /** The call that has to be a day old before there may be another. */
  const standsInTheWay = (own: (call: (typeof calls)[number]) => boolean) =>
    calls.filter(own)[policy.verificationCallsPerDay - 1]?.asked_at
  const limits = [
    {
      code: 'too_many_by_user',
      waitMs: waits(
        standsInTheWay(call => call.user_id === userId),
        dayMs,
      ),
    },
    {
      code: 'too_many_to_number',
      waitMs: waits(
        standsInTheWay(call => call.phone_number === number),
        dayMs,
      ),
    },
    { code: 'too_soon', waitMs: waits(calls[0]?.asked_at, policy.verificationGapSeconds * 1000) },
  ] as const
  const limit = limits.find(({ waitMs }) => waitMs > 0)
  return limit && { ok: false, ...limit }
}

/** What came of a verification call. Told again it changes nothing: the first end counts. */
export async function settleVerification(services: Services, end: VerificationEnd): Promise<void> {
  await services.db.transaction(async tx => {
    const call = await writeEnd({ ...services, db: tx }, end)
    if (call === undefined || end.outcome !== 'verified') return
    await tx.query(
      `insert into caller_id (user_id, phone_number, verified_at) values ($1, $2, $3)
       on conflict do nothing`,
      [call.user_id, call.phone_number, services.clock.now()],
    )
  })
}

interface End {
  readonly verificationId: string
  readonly outcome: VerificationEnd['outcome'] | 'not_called'
}

async function writeEnd(
  { db, clock }: { readonly db: Db; readonly clock: Services['clock'] },
  { verificationId, outcome }: End,
): Promise<{ user_id: string; phone_number: string } | undefined> {
  const [call] = await db.query<{ user_id: string; phone_number: string }>(
    `update verification_call set outcome = $2, ended_at = $3 where id = $1 and outcome is null
     returning user_id, phone_number`,
    [verificationId, outcome, clock.now()],
  )
  return call
}
