import type { CallControl } from '../../telephony/port.ts'
import { settleVerification } from '../caller-id-verification.ts'
import type { Services } from '../context.ts'
import { placeCall } from './place.ts'
import { callAnswered, callRinging } from './progress.ts'
import { settleCall } from './settle.ts'

/** What the telephone network asks and tells, given to the use cases. */
export function createCallControl(services: Services): CallControl {
  return {
    place: attempt => placeCall(services, attempt),
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
