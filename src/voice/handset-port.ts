import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import type { Lost } from './call.ts'
import type { HandsetEnding } from './handset-call.ts'
import type { VoiceCredential } from './port.ts'

/** A handset with a claimed number. No vendor terms cross this interface. */
export interface HandsetLine {
  answer(sound: MediaStream): void
  decline(): void
  hangUp(): void
  /** Real-time text for the caller's page; ignored outside a call. */
  sendText(message: RealTimeText): void
  updateToken(token: string): void
  /** Releases the number and ends any call. Emits no event. */
  close(): void
}

export type HandsetLineEvent =
  /** The number rings here from now on; also sent after a reconnect. */
  | { readonly kind: 'registered' }
  | { readonly kind: 'unreachable' }
  /** The exchange rejected the token; nothing rings until another claim. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'token_expiring' }
  /** `from` is the caller ID in E.164; null without one. */
  | { readonly kind: 'ringing'; readonly from: string | null }
  | { readonly kind: 'answered' }
  /** Audio reaches the caller from now on. Follows `answered`. */
  | { readonly kind: 'sound_passes' }
  /** `from` is the index of the first digit within the call; digits may be repeated. */
  | { readonly kind: 'digits'; readonly digits: string; readonly from: number }
  | { readonly kind: 'text'; readonly message: RealTimeText }
  | { readonly kind: 'reconnecting'; readonly lost: Lost }
  | { readonly kind: 'reconnected' }
  | { readonly kind: 'ended'; readonly ending: HandsetEnding }

/** Connects a handset with a claimed number. `ttlSeconds`: lifetime of its token. */
export type OpenHandset = (
  credential: VoiceCredential & { readonly ttlSeconds: number },
  onEvent: (event: HandsetLineEvent) => void,
) => HandsetLine
