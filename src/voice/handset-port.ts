import type { Lost } from '#lib/rules/call.ts'
import type { HandsetEnding } from '#lib/rules/handset.ts'
import type { VoiceCredential } from './port.ts'

/** A telephone that can be called, for as long as its number is claimed. Vendor words stop behind this file. */
export interface HandsetLine {
  /** Takes the ringing call, and sends it this sound. Nothing happens where none rings. */
  answer(sound: MediaStream): void
  /** Turns the ringing call down. Nothing happens where none rings. */
  decline(): void
  hangUp(): void
  /** A fresh token for the same number. */
  updateToken(token: string): void
  /** Gives the number up, ending the call if there is one. No event follows. */
  close(): void
}

export type HandsetLineEvent =
  /** The number rings here from now on; also after the line to the exchange came back. */
  | { readonly kind: 'registered' }
  /** The exchange is out of reach. The client goes on trying by itself. */
  | { readonly kind: 'unreachable' }
  /** The exchange does not take the token: nothing rings here before another claim. */
  | { readonly kind: 'refused' }
  /** The token runs out soon. A call in progress goes on either way. */
  | { readonly kind: 'token_expiring' }
  /** `from` is the caller ID as it came, E.164; null where there is none. */
  | { readonly kind: 'ringing'; readonly from: string | null }
  | { readonly kind: 'answered' }
  /** What the telephone says reaches the caller from now on. Follows `answered`. */
  | { readonly kind: 'sound_passes' }
  /** `from` is the index of the first of them among all digits of the call; some may be told again. */
  | { readonly kind: 'digits'; readonly digits: string; readonly from: number }
  | { readonly kind: 'reconnecting'; readonly lost: Lost }
  | { readonly kind: 'reconnected' }
  /** The last event of a call. The telephone waits for the next. */
  | { readonly kind: 'ended'; readonly ending: HandsetEnding }

/** Connects a telephone whose number has been claimed. `ttlSeconds` is its token's lifetime. */
export type OpenHandset = (
  credential: VoiceCredential & { readonly ttlSeconds: number },
  onEvent: (event: HandsetLineEvent) => void,
) => HandsetLine
