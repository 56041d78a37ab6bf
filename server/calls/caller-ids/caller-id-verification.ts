import { failure, type Result, success } from '#lib/result.ts'
import type { Tier } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { lockUser, type UserRow } from '../../identity/users.ts'
import { verificationMinutes } from '../../limits/budget-policy.ts'
import { type BrowserOrigin, hashOrigin } from '../../limits/origin.ts'
import { type BudgetSpent, type Reservation, release, reportSpent, reserve } from '../../limits/reserve.ts'
import { calleeSubject, personSubjects } from '../../limits/subjects.ts'
import { tierOf } from '../../spending/trust-tier.ts'
import type {
  NumberVerification,
  RejectionCode,
  VerificationCode,
  VerificationEnd,
  VerificationFailure,
  VerificationProgress,
} from '../../telephony/port.ts'
import { isWatched, pauseOf } from '../placing/breaker.ts'
import { type Destination, findDestination, type NoDestination } from '../placing/destination.ts'
import { isCallerIdOf } from './caller-ids.ts'

export type VerificationRejection =
  | NoDestination
  | Extract<RejectionCode, 'call_blocked' | 'email_unverified'>
  | VerificationFailure
  | 'already_verified'

export type VerificationLimit = { readonly ok: false } & (
  | { readonly code: 'budget_spent'; readonly spent: BudgetSpent }
  | { readonly code: 'destination_paused'; readonly waitMs: number }
  /** A minute costs more than this account may call, or more than we verify before a payment. */
  | { readonly code: 'rate_limit'; readonly tier: Tier }
)

export type VerificationStart = Result<VerificationCode, VerificationRejection> | VerificationLimit

/**
 * Verification calls are limited by budget, because nobody pays us for them. Each is recorded before it is made, and
 * counts unless the carrier certainly did not make it.
 */
export async function startVerification(
  services: Services,
  userId: string,
  typed: string,
  browser: BrowserOrigin,
): Promise<VerificationStart> {
  const destination = findDestination(services, typed)
  const admitted = await services.db.transaction(tx => admit(services, tx, { userId, destination, browser }))
  if (!admitted.ok) {
    if (admitted.code === 'budget_spent') reportSpent(services, admitted.spent)
    return admitted
  }
  const { verificationId } = admitted.value
  const started = await services.telephony.verifyNumber(admitted.value)
  if (!started.ok && started.code !== 'lost')
    await services.db.transaction(tx => writeEnd(tx, services, { verificationId, outcome: 'not_called' }))
  return started
}

interface VerificationRequest {
  readonly userId: string
  readonly destination: Destination | NoDestination
  readonly browser: BrowserOrigin
}

async function admit(
  services: Services,
  tx: Db,
  { userId, destination, browser }: VerificationRequest,
): Promise<Result<NumberVerification, VerificationRejection> | VerificationLimit> {
  const user = await lockUser(tx, userId)
  if (user?.can_call !== true) return failure('call_blocked')
  if (user.email_verified_at === null) return failure('email_unverified')
  if (typeof destination === 'string') return failure(destination)
  const number = destination.to
  if (await isCallerIdOf(tx, userId, number)) return failure('already_verified')
  const tier = await tierOf(tx, services, userId)
  if (destination.rateMicroUsd > maxRateMicroUsd(services, tier))
    return { ok: false, code: 'rate_limit', tier }
  const pausedUntil = await pauseOf(tx, services, userId, destination)
  if (pausedUntil !== undefined) {
    const waitMs = pausedUntil.getTime() - services.clock.now().getTime()
    return { ok: false, code: 'destination_paused', waitMs }
  }
  const reserved = await reserve(tx, services, [verificationUse(services, user, destination, browser)])
  if (!reserved.ok) return { ok: false, code: 'budget_spent', spent: reserved.spent }
  const verificationId = services.random.uuid()
  await tx.query(
    `insert into verification_call (id, user_id, phone_number, asked_at, dear_prefix, budget)
     values ($1, $2, $3, $4, $5, $6::jsonb)`,
    [
      verificationId,
      userId,
      number,
      services.clock.now(),
      isWatched(services, destination) ? destination.prefix : null,
      JSON.stringify(reserved.reservation),
    ],
  )
  return success({ verificationId, number, rateMicroUsd: destination.rateMicroUsd })
}

/** Max rate of a number that may be verified, by trust tier. */
export function maxRateMicroUsd({ policy }: Pick<Services, 'policy'>, tier: Tier): number {
  const { highestRateMicroUsd } = policy.tiers[tier]
  return tier === 'never_paid'
    ? Math.min(highestRateMicroUsd, policy.unpaidVerificationMaxRateMicroUsd)
    : highestRateMicroUsd
}

/** From loopback, only accounts and numbers are counted. */
function verificationUse(
  services: Services,
  user: UserRow,
  { to, rateMicroUsd, prefix }: Destination,
  browser: BrowserOrigin,
) {
  const origin = hashOrigin(services, browser)
  const subjects = {
    ...personSubjects(services, user, origin),
    callee: calleeSubject(services, to),
    ...(!origin.local && { prefix }),
  }
  return { kind: 'verification_call', subjects, costMicroUsd: verificationMinutes * rateMicroUsd } as const
}

/** Only the first outcome counts. */
export async function settleVerification(services: Services, end: VerificationEnd): Promise<void> {
  const ended = await services.db.transaction(async tx => {
    const call = await writeEnd(tx, services, end)
    if (call === undefined || end.outcome !== 'verified') return call
    await tx.query(
      `insert into caller_id (user_id, phone_number, verified_at) values ($1, $2, $3)
       on conflict do nothing`,
      [call.user_id, call.phone_number, services.clock.now()],
    )
    return call
  })
  if (ended !== undefined)
    services.notifier.verification(ended.user_id, { phoneNumber: ended.phone_number, state: 'ended' })
}

/** Passes on to the user's pages how a verification call goes, unless its outcome is known. */
export async function publishProgress(
  { db, notifier }: Services,
  { verificationId, state }: VerificationProgress,
): Promise<void> {
  const [call] = await db.query<{ user_id: string; phone_number: string }>(
    'select user_id, phone_number from verification_call where id = $1 and outcome is null',
    [verificationId],
  )
  if (call !== undefined) notifier.verification(call.user_id, { phoneNumber: call.phone_number, state })
}

interface End {
  readonly verificationId: string
  readonly outcome: VerificationEnd['outcome'] | 'not_called'
}

/** Only the first outcome changes anything. A call that was not made returns its budget. Needs a transaction. */
async function writeEnd(
  tx: Db,
  { clock }: Services,
  { verificationId, outcome }: End,
): Promise<{ user_id: string; phone_number: string } | undefined> {
  const [call] = await tx.query<{ user_id: string; phone_number: string; budget: Reservation | null }>(
    `update verification_call set outcome = $2, ended_at = $3 where id = $1 and outcome is null
     returning user_id, phone_number, budget`,
    [verificationId, outcome, clock.now()],
  )
  if (outcome === 'not_called') await release(tx, call?.budget ?? [])
  return call
}
