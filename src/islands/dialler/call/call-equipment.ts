import type { VoiceRoute, voiceToken } from '#lib/api/token.ts'
import { type EndReason, tokenEndReason } from '#lib/calls/end-reasons.ts'
import type { Result } from '#lib/result.ts'
import type { ApiResult } from '#session/transport.ts'
import type { createDigitQueue } from '#voice/digit-queue.ts'
import { closeMicrophone, type MicrophoneFailure } from '#voice/microphone.ts'
import type { OpenVoice, VoiceCredential } from '#voice/port.ts'

/** Delay between requests for a fresh token while the server cannot be reached. */
const renewalPauseMs = 3000

export type TokenAnswer = ApiResult<typeof voiceToken>

export interface TokenPorts {
  /** In a live call, a failure must not log the user out. */
  readonly requestToken: (inCall: boolean) => Promise<TokenAnswer>
  readonly wait: (ms: number, callback: () => void) => void
}

export interface EquipmentPorts {
  readonly openMicrophone: () => Promise<Result<MediaStream, MicrophoneFailure>>
  readonly loadVoice: (route: VoiceRoute) => Promise<OpenVoice>
  readonly loadDigitQueue: () => Promise<typeof createDigitQueue>
}

/** What a call needs before it is placed. Whoever receives it closes the microphone. */
export interface CallEquipment {
  readonly credential: VoiceCredential
  readonly microphone: MediaStream
  readonly openVoice: OpenVoice
  readonly createQueue: typeof createDigitQueue
}

const unwanted: EndReason = { kind: 'client_disconnected' }

/**
 * The code loads while the user answers the browser's question about the microphone.
 * @param isWanted whether the caller still waits; if not, nothing stays open
 */
export async function openEquipment(
  ports: EquipmentPorts,
  requestToken: () => Promise<TokenAnswer>,
  isWanted: () => boolean,
): Promise<CallEquipment | EndReason> {
  const token = await requestToken()
  if (!token.ok) return tokenEndReason(token.status, token.body?.reason)
  if (!isWanted()) return unwanted
  const loading = Promise.all([ports.loadVoice(token.value.route), ports.loadDigitQueue()]).catch(() => null)
  const microphone = await ports.openMicrophone()
  const code = await loading
  if (!microphone.ok) return { kind: microphone.code }
  if (code === null || !isWanted()) {
    closeMicrophone(microphone.value)
    return unwanted
  }
  const [openVoice, createQueue] = code
  return { credential: token.value, microphone: microphone.value, openVoice, createQueue }
}

/** Retries until answered: without a token a live call continues but cannot reconnect. A rejection is final. */
export function createTokenRenewal(
  { requestToken, wait }: TokenPorts,
  isCurrent: (attempt: number) => boolean,
  update: (token: string) => void,
): (attempt: number) => Promise<void> {
  let renewing: number | null = null
  return async function renew(attempt) {
    if (renewing === attempt) return
    renewing = attempt
    const token = await requestToken(true)
    renewing = null
    if (!isCurrent(attempt)) return
    if (token.ok) update(token.value.token)
    else if (token.status === 0 || token.status >= 500)
      wait(renewalPauseMs, () => {
        if (isCurrent(attempt)) void renew(attempt)
      })
  }
}
