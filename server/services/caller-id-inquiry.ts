import { settleVerification } from './caller-id-verification.ts'
import type { Services } from './context.ts'

/** A verification is asked about when it is so old, by when most calls were told of, and for as long as it may matter. */
const fromMs = 20_000
const untilMs = 10 * 60_000

/** Verifications asked about in one turn. */
const atOnce = 20

/**
 * Asks a shared network about verifications whose outcome was not told, since that may be lost: a number whose code was
 * keyed in is verified. Any number of processes may do it at once: the first end counts.
 * @returns how many were found verified
 */
export async function inquireAboutVerifications(services: Services): Promise<number> {
  const { db, clock, telephony, log } = services
  if (telephony.carriage !== 'shared') return 0
  const now = clock.now().getTime()
  const open = await db.query<{ verificationId: string; number: string }>(
    `select id as "verificationId", phone_number as number from verification_call
     where outcome is null and asked_at between $1 and $2 order by asked_at desc limit ${atOnce}`,
    [new Date(now - untilMs), new Date(now - fromMs)],
  )
  const found = await Promise.all(
    open.map(async ({ verificationId, number }) => {
      try {
        if (!(await telephony.isVerified({ verificationId, number }))) return false
        await settleVerification(services, { verificationId, outcome: 'verified' })
        return true
      } catch (error) {
        log.error({ err: error, verificationId }, 'asking about a verification failed')
        return false
      }
    }),
  )
  return found.filter(Boolean).length
}
