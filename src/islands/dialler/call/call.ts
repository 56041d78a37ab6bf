import { voiceToken } from '#lib/api/token.ts'
import { authorised } from '#session/api.ts'
import { loadOptional } from '#session/load-optional.ts'
import { callerIdForCall } from '#shared/caller-ids/caller-ids.ts'
import { findCallObstacle } from '#voice/call-obstacle.ts'
import type { DigitQueueState } from '#voice/digit-queue-state.ts'
import { openMicrophone } from '#voice/microphone.ts'
import { chosenSound } from '../sound/chosen-sound.ts'
import { createCallLine } from './call-line.ts'
import { whileAsking } from './microphone-prompt.ts'

export type Digits = DigitQueueState

export const callLine = createCallLine({
  requestToken: quiet => authorised(voiceToken, {}, { skipLogoutOnFail: quiet }),
  findObstacle: findCallObstacle,
  callerId: callerIdForCall,
  openMicrophone: () => whileAsking(() => openMicrophone(chosenSound('microphone')?.id)),
  chosenSound: () => {
    const [microphoneId, speakerId] = [chosenSound('microphone')?.id, chosenSound('speaker')?.id]
    return { ...(microphoneId && { microphoneId }), ...(speakerId && { speakerId }) }
  },
  loadVoice: async route => {
    const { loadVoice } = await import('#voice/twilio.ts')
    return loadVoice(route)
  },
  loadDigitQueue: async () => {
    const { createDigitQueue } = await import('#voice/digit-queue.ts')
    return createDigitQueue
  },
  loadQuietly: loadOptional,
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
})

export const { $call, $digits, $sample } = callLine
