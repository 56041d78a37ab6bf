import type { VerificationOutcome, VerificationStatus } from '#lib/api/verification.ts'
import { dayMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { remainingUses } from '../../limits/reserve.ts'
import { accountSubject, calleeSubject } from '../../limits/subjects.ts'

/** The newest verification call of the last day, and what the budgets of the account and of its number still allow. */
export async function findVerificationStatus(
  services: Services,
  userId: string,
): Promise<VerificationStatus> {
  const { db, clock } = services
  const [lastCall] = await db.query<{ phone_number: string; outcome: VerificationOutcome | null }>(
    `select phone_number, outcome from verification_call
     where user_id = $1 and asked_at > $2 and outcome is distinct from 'not_called'
     order by asked_at desc limit 1`,
    [userId, new Date(clock.now().getTime() - dayMs)],
  )
  const subjects = {
    account: accountSubject(services, userId),
    ...(lastCall !== undefined && { callee: calleeSubject(services, lastCall.phone_number) }),
  }
  const use = { kind: 'verification_call', subjects, costMicroUsd: 0 } as const
  const { max, left, waitMs } = await remainingUses(db, services, use, dayMs / 1000)
  return {
    attemptsPerDay: max,
    attemptsLeft: left,
    waitMs,
    lastCall: lastCall ?? null,
  }
}
