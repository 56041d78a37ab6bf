import type { CallControl } from '../../telephony/port.ts'
import { settleVerification } from '../caller-id-verification.ts'
import type { Services } from '../context.ts'
import { placeCall } from './place.ts'
import { callAnswered, callRinging } from './progress.ts'
import { countLiveCalls } from './rows.ts'
import { settleCall } from './settle.ts'

/** What the telephone network asks and tells, given to the use cases. */
export function createCallControl(services: Services): CallControl {
  return {
    place: async attempt => {
      const placement = await placeCall(services, attempt)
      const refusal = placement.kind === 'refuse' ? placement.code : null
      services.observe?.({ kind: 'call_placed', refusal })
      if (placement.kind === 'refuse' && services.telephony.carriage === 'shared')
        await tellRefusal(services, attempt.userId, placement.message)
      return placement
    },
    report: async event => {
      switch (event.kind) {
        case 'ringing':
          return callRinging(services, event.callId)
        case 'answered':
          return callAnswered(services, event.callId)
        case 'ended':
          await settleCall(services, event)
          return
      }
    },
    verificationEnded: end => settleVerification(services, end),
  }
}

/**
 * Tells the caller's page why nothing rings: a shared network only turns it away. The attempt has no name that the page
 * knows, so the words are for whatever the user's pages are calling, and nothing is said while another call of theirs
 * goes on, which they would end.
 */
async function tellRefusal({ db, notifier }: Services, userId: string, message: string): Promise<void> {
  if ((await countLiveCalls(db, userId)) === 0) notifier.callError(userId, { message })
}
