import type { VoiceRoute } from '#lib/api/token.ts'
import type { Lost } from '#lib/rules/call.ts'
import type { CallEnding } from '#lib/rules/call-endings.ts'
import type { LineSample } from '#lib/rules/quality.ts'

/** The browser's telephone, for one call. Vendor words stop behind this file. */
export interface VoiceClient {
  /** Names the call to our server before that has an id for it, by a UUID; it is named so in what the server tells of it. */
  readonly attempt: string
  /** Starts the call; everything that follows arrives as events. Call it once. */
  connect(line: Line): void
  /** Ends the call, in whatever state it is. */
  hangUp(): void
  mute(muted: boolean): void
  /** One or more of 0-9, `*` and `#`, in an answered call; dropped otherwise. */
  sendDigits(digits: string): void
  /**
   * Changes over to another microphone or speaker in the call, by the browser's id; undefined: the system's own choice.
   * @returns whether it did; where not, the former goes on
   */
  changeSound(kind: 'microphone' | 'speaker', deviceId: string | undefined): Promise<boolean>
  /** What the call speaks into now; null when there is none. Never to be closed by others. */
  microphone(): MediaStream | null
  /** A fresh token for a call in progress. */
  updateToken(token: string): void
  /** Ends the call if there is one and lets everything go. No event follows. */
  destroy(): void
}

export interface Line {
  /** E.164 with the plus. */
  readonly to: string
  /** E.164 of a verified caller ID; left out for the public number. */
  readonly callerId?: string
  /** A test call, to an own number. */
  readonly test?: boolean
  /** The caller was told that this call is free: it is that, or refused. */
  readonly expectsFree?: boolean
  /** The open microphone. The client closes it when the call is over. */
  readonly microphone: MediaStream
  /** The browser's ids of what the user has chosen to call with; left out: the system's own choice. */
  readonly microphoneId?: string
  readonly speakerId?: string
}

/** `callId` is the server's id of the call, where the voice service names its calls by it. */
export type VoiceEvent =
  | { readonly kind: 'ringing'; readonly callId?: string }
  | { readonly kind: 'answered'; readonly callId?: string }
  /** What is said and pressed gets through from now on. Follows `answered`. */
  | { readonly kind: 'sound_passes' }
  /** About once a second of an answered call. */
  | { readonly kind: 'sample'; readonly sample: LineSample }
  | { readonly kind: 'reconnecting'; readonly lost: Lost }
  | { readonly kind: 'reconnected' }
  /** No sound comes from the other end any more, not even silence; or it does again. */
  | { readonly kind: 'sound'; readonly arriving: boolean }
  /** The microphone was unplugged in the call; or another one has taken its place. */
  | { readonly kind: 'microphone'; readonly state: 'lost' | 'changed' }
  /** The last event of a call. */
  | { readonly kind: 'ended'; readonly ending: CallEnding }
  /** The token runs out in a few seconds. A call in progress goes on either way. */
  | { readonly kind: 'token_expiring' }

export interface VoiceCredential {
  readonly token: string
  readonly route: VoiceRoute
}

/** Makes the telephone for one call. */
export type OpenVoice = (credential: VoiceCredential, onEvent: (event: VoiceEvent) => void) => VoiceClient
