import type { CallErrorEvent } from '#lib/api/realtime.ts'
import { uuidPattern } from '#lib/uuid.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { inLanguageOf } from '../../identity/users.ts'
import { countLiveCalls } from '../../spending/live-calls.ts'
import type {
  CallAttempt,
  CallControl,
  CarrierBooks,
  Placement,
  RejectionCode,
} from '../../telephony/port.ts'
import { publishProgress, settleVerification } from '../caller-ids/caller-id-verification.ts'
import { isCallerIdOfAnybody } from '../caller-ids/caller-ids.ts'
import { admitLineCheck } from '../placing/line-check.ts'
import { placeCall } from '../placing/place.ts'
import { compareWithRecord } from '../settlement/compare-record.ts'
import { settleCall } from '../settlement/settle.ts'
import { askSoon, hangUpIfSettled } from '../settlement/unconfirmed-end.ts'
import { callAnswered, callRinging } from './progress.ts'

export function createCallControl(services: Services): CallControl {
  return {
    place: async asked => {
      const attempt = uuidPattern.test(asked.attempt ?? '') ? asked : { ...asked, attempt: undefined }
      const placement = await inLanguageOf(services.db, attempt.userId, () => placeCall(services, attempt))
      if (placement.repeated) return placement
      const rejection = placement.kind === 'refuse' ? placement.code : null
      services.observe?.({ kind: 'call_placed', rejection })
      if (placement.kind === 'refuse' && services.telephony.carriage === 'shared')
        await notifyRejection(services, attempt, placement)
      return placement
    },
    report: async event => {
      switch (event.kind) {
        case 'ringing':
          await callRinging(services, event.callId)
          return hangUpIfSettled(services, event.callId)
        case 'answered':
          await callAnswered(services, event.callId)
          return hangUpIfSettled(services, event.callId)
        case 'over':
          return askSoon(services.db, services.clock, event.callId)
        case 'ended':
          await settleCall(services, event)
          return
        case 'recorded':
          return compareWithRecord(services, event)
      }
    },
    admitLineCheck: (userId, sessionId) => admitLineCheck(services, userId, sessionId),
    verificationEnded: end => settleVerification(services, end),
    verificationProgressed: progress => publishProgress(services, progress),
  }
}

/** Rejections that the page does something about, as `rejectionError` of the exchange tells them by number. */
const pageCodes: Partial<Record<RejectionCode, NonNullable<CallErrorEvent['code']>>> = {
  not_free: 'not_free',
  no_credits: 'needs_credits',
  free_call_limit: 'needs_credits',
}

/**
 * Tells the user's pages why a call was rejected, because a shared network only rejects it. Without an attempt id the
 * event applies to whatever the pages are calling, and would end another live call; so it is not sent during one.
 */
async function notifyRejection(
  { db, notifier }: Services,
  { userId, attempt }: CallAttempt,
  { code, message }: Extract<Placement, { readonly kind: 'refuse' }>,
): Promise<void> {
  const pageCode = pageCodes[code]
  const error = { message, ...(pageCode !== undefined && { code: pageCode }) }
  if (attempt !== undefined) notifier.callError(userId, { ...error, attempt })
  else if ((await countLiveCalls(db, userId)) === 0) notifier.callError(userId, error)
}

export function carrierBooks(db: Db): CarrierBooks {
  return {
    legOf: callId => legOf(db, callId),
    liveCallOf: leg => liveCallOf(db, leg),
    isCallerId: number => isCallerIdOfAnybody(db, number),
  }
}

async function legOf(db: Db, callId: string): Promise<string | undefined> {
  const [call] = await db.query<{ carrier_leg: string | null }>(
    'select carrier_leg from call where id = $1',
    [callId],
  )
  return call?.carrier_leg ?? undefined
}

async function liveCallOf(db: Db, leg: string): Promise<string | undefined> {
  const [call] = await db.query<{ id: string }>(
    `select id from call where carrier_leg = $1 and state <> 'ended'`,
    [leg],
  )
  return call?.id
}
