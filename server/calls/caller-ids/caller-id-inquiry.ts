import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { settleVerification } from './caller-id-verification.ts'

/** Age range of verifications to poll: most have been reported before it, and none matters after it. */
const fromMs = 20_000
const untilMs = 10 * minuteMs

/** Verifications polled per run. */
const atOnce = 20

/**
 * Asks a shared carrier, whose report may be lost. Any number of processes may run this: the first outcome counts.
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
