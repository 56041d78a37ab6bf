import type { VoiceRoute } from '#lib/api/token.ts'
import type { EndReason } from '#lib/calls/end-reasons.ts'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import type { Lost, MicrophoneState } from './call.ts'
import type { LineSample } from './quality.ts'

/** The browser's phone, for one call. Connects to the service at once. No vendor terms cross this interface. */
export interface VoiceClient {
  /** Our UUID for the call attempt; identifies the call in server events until it has a server id. */
  readonly attempt: string
  /** Whether the connection to the service broke before there was a call. */
  isLost(): boolean
  /** Starts the call; the rest arrives as events. Call once. */
  connect(line: ConnectOptions): void
  hangUp(): void
  mute(muted: boolean): void
  /** One or more of 0-9, `*` and `#`; ignored unless the call is answered. */
  sendDigits(digits: string): void
  /** Real-time text for the other page; ignored unless the call is answered. */
  sendText(message: RealTimeText): void
  /** Switches a device by browser id; undefined: the system's default. @returns false if the old one stays in use */
  changeSound(kind: 'microphone' | 'speaker', deviceId: string | undefined): Promise<boolean>
  /** The stream in use; null if none. The caller must not close it. */
  microphone(): MediaStream | null
  /** What the callee's sound arrives in, live during the answered call; null before its sound. The caller must not stop it. */
  calleeTrack(): MediaStreamTrack | null
  updateToken(token: string): void
  /** Ends any call and releases everything. Emits no event. */
  destroy(): void
}

export interface ConnectOptions {
  /** E.164 with the plus. */
  readonly to: string
  /** E.164 of a verified caller ID; omitted for the public number. */
  readonly callerId?: string
  readonly test?: boolean
  /** The page showed the call as free: the server honours that or rejects the call. */
  readonly expectsFree?: boolean
  /** Rate shown on the page, in micro-dollars per minute: the server honours it as a max or rejects the call. */
  readonly expectsRateMicroUsd?: number
  /** The open microphone; closed by the client at the end of the call. */
  readonly microphone: MediaStream
  /** Browser ids of the chosen devices; omitted: the system's defaults. */
  readonly microphoneId?: string
  readonly speakerId?: string
}

/** `callId` is the server's call id, if the voice service uses it. */
export type VoiceEvent =
  | { readonly kind: 'ringing'; readonly callId?: string }
  | { readonly kind: 'answered'; readonly callId?: string }
  /** Speech and digits get through from now on. Follows `answered`. */
  | { readonly kind: 'sound_passes' }
  | { readonly kind: 'sample'; readonly sample: LineSample }
  | { readonly kind: 'reconnecting'; readonly lost: Lost }
  | { readonly kind: 'reconnected' }
  /** Whether packets arrive from the callee; packets of silence count. */
  | { readonly kind: 'sound'; readonly arriving: boolean }
  /** The other end is a page that shows text. */
  | { readonly kind: 'text'; readonly message: RealTimeText }
  | { readonly kind: 'microphone'; readonly state: MicrophoneState }
  | { readonly kind: 'ended'; readonly endReason: EndReason }
  /** The token expires in a few seconds. A call in progress continues either way. */
  | { readonly kind: 'token_expiring' }

export interface VoiceCredential {
  readonly token: string
  readonly route: VoiceRoute
}

export type OpenVoice = (credential: VoiceCredential, onEvent: (event: VoiceEvent) => void) => VoiceClient
