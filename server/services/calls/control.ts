import type { CallAttempt, CallControl, Placement } from '../../telephony/port.ts'
import { settleVerification } from '../caller-id-verification.ts'
import type { Services } from '../context.ts'
import { admitLineCheck } from '../line-check.ts'
import { askSoon, endWhatGoesOn } from './doubt.ts'
import { placeCall } from './place.ts'
import { callAnswered, callRinging } from './progress.ts'
import { countLiveCalls } from './rows.ts'
import { settleCall } from './settle.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What the telephone network asks and tells, given to the use cases. */
export function createCallControl(services: Services): CallControl {
  return {
    place: async asked => {
      const attempt = uuid.test(asked.attempt ?? '') ? asked : { ...asked, attempt: undefined }
      const placement = await placeCall(services, attempt)
      if (placement.repeated) return placement
      const refusal = placement.kind === 'refuse' ? placement.code : null
      services.observe?.({ kind: 'call_placed', refusal })
      if (placement.kind === 'refuse' && services.telephony.carriage === 'shared')
        await tellRefusal(services, attempt, placement)
      return placement
    },
    report: async event => {
      switch (event.kind) {
        case 'ringing':
          await callRinging(services, event.callId)
          return endWhatGoesOn(services, event.callId)
        case 'answered':
          await callAnswered(services, event.callId)
          return endWhatGoesOn(services, event.callId)
        case 'over':
          return askSoon(services.db, services.clock, event.callId)
        case 'ended':
          await settleCall(services, event)
          return
      }
    },
    admitLineCheck: userId => admitLineCheck(services, userId),
    verificationEnded: end => settleVerification(services, end),
  }
}

/**
 * Tells the caller's page why nothing rings: a shared network only turns it away. Of an attempt without a name the words
 * are for whatever the user's pages are calling, and nothing is said while another call of theirs goes on, which they
 * would end.
 */
async function tellRefusal(
  { db, notifier }: Services,
  { userId, attempt }: CallAttempt,
  { code, message }: Extract<Placement, { readonly kind: 'refuse' }>,
): Promise<void> {
  const words = { message, ...(code === 'not_free' && { code }) }
  if (attempt !== undefined) notifier.callError(userId, { ...words, attempt })
  else if ((await countLiveCalls(db, userId)) === 0) notifier.callError(userId, words)
}
