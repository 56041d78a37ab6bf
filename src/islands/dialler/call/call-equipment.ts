import type { VoiceRoute, voiceToken } from '#lib/api/token.ts'
import { type EndReason, tokenEndReason } from '#lib/calls/end-reasons.ts'
import type { Result } from '#lib/result.ts'
import type { ApiResult } from '#session/transport.ts'
import type { createDigitQueue } from '#voice/digit-queue.ts'
import { closeMicrophone, type MicrophoneFailure } from '#voice/microphone.ts'
import type { OpenVoice, VoiceClient, VoiceCredential, VoiceEvent } from '#voice/port.ts'

/** Delay between requests for a fresh token while the server cannot be reached. */
const renewalPauseMs = 3000
/** How long the voice client's code may take to load. A browser itself waits for minutes on a line that died. */
const loadTimeoutMs = 30_000

export type TokenAnswer = ApiResult<typeof voiceToken>

export interface TokenPorts {
  /** In a live call and in the background, a failure must not log the user out. */
  readonly requestToken: (quiet: boolean) => Promise<TokenAnswer>
  readonly wait: (ms: number, callback: () => void) => void
}

export interface EquipmentPorts {
  readonly openMicrophone: () => Promise<Result<MediaStream, MicrophoneFailure>>
  readonly loadVoice: (route: VoiceRoute) => Promise<OpenVoice>
  readonly loadDigitQueue: () => Promise<typeof createDigitQueue>
  readonly wait: TokenPorts['wait']
}

/** A client without a call yet. Whoever receives it destroys it. */
export interface ReadyVoice {
  readonly client: VoiceClient
  readonly createQueue: typeof createDigitQueue
}

/** What a call needs before it is placed. Whoever receives it closes the microphone, too. */
export interface CallEquipment extends ReadyVoice {
  readonly microphone: MediaStream
}

const unwanted: EndReason = { kind: 'client_disconnected' }

/** @returns null if the code does not load in time or the client does not start */
export async function openVoice(
  ports: EquipmentPorts,
  credential: VoiceCredential,
  onEvent: (event: VoiceEvent) => void,
): Promise<ReadyVoice | null> {
  try {
    const tooLate = new Promise<never>((_, reject) => {
      ports.wait(loadTimeoutMs, () => reject(new Error('its code did not load in time')))
    })
    const loading = Promise.all([ports.loadVoice(credential.route), ports.loadDigitQueue()])
    const [open, createQueue] = await Promise.race([loading, tooLate])
    return { client: open(credential, onEvent), createQueue }
  } catch (error) {
    console.error('The voice client could not be started.', error)
    return null
  }
}

export interface VoiceSource {
  /** A client that was prepared; null without one. */
  readonly prepared: Promise<ReadyVoice | null>
  readonly requestToken: () => Promise<TokenAnswer>
  readonly onEvent: (event: VoiceEvent) => void
}

/**
 * The client starts while the user answers the browser's question about the microphone.
 * @param isWanted whether the caller still waits; if not, nothing stays open
 */
export async function openEquipment(
  ports: EquipmentPorts,
  { prepared, requestToken, onEvent }: VoiceSource,
  isWanted: () => boolean,
): Promise<CallEquipment | EndReason> {
  const ready = await prepared
  const token = ready === null ? await requestToken() : null
  if (token?.ok === false) return tokenEndReason(token.status, token.body?.reason)
  const opening = token === null || !isWanted() ? ready : openVoice(ports, token.value, onEvent)
  const microphone = isWanted() ? await ports.openMicrophone() : null
  const voice = await opening
  if (microphone?.ok && voice !== null && isWanted()) return { microphone: microphone.value, ...voice }
  voice?.client.destroy()
  if (microphone?.ok === false) return { kind: microphone.code }
  if (microphone !== null) closeMicrophone(microphone.value)
  return unwanted
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
