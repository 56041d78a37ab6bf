import { voiceToken } from '#lib/api/token.ts'
import type { DigitQueueState } from '#voice/digit-queue.ts'
import { openMicrophone } from '#voice/microphone.ts'
import { authorised } from './api.ts'
import { createCallLine } from './call-line.ts'
import { callerIdForCall } from './caller-ids.ts'

export type Digits = DigitQueueState

/** The line of this page. */
export const callLine = createCallLine({
  requestToken: inCall => authorised(voiceToken, {}, { skipLogoutOnFail: inCall }),
  callerId: callerIdForCall,
  openMicrophone,
  loadVoice: async route => {
    const { loadVoice } = await import('#voice/twilio.ts')
    return loadVoice(route)
  },
  nowMs: () => performance.now(),
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
})

/** The call of this page, and the digits sent in it. Written by the line alone. */
export const { $call, $digits } = callLine
