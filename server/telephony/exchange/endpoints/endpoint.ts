import type { CarrierCause } from '#lib/calls/call-end.ts'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import type { AudioPacket, Codec } from '../media/audio-packet.ts'
import type { AudioSource } from '../media/audio-source.ts'
import type { Digit } from '../media/clips.ts'

export type EndpointCause = Extract<
  CarrierCause,
  | 'callee_hung_up'
  | 'busy'
  | 'declined'
  | 'no_answer'
  | 'invalid_number'
  | 'connection_lost'
  | 'failed'
  | 'service_failed'
>

export interface EndpointCallFacts {
  readonly callId: string
  readonly from: string
}

/** What an endpoint can do with its call. Does nothing after the call's end. */
export interface EndpointControl {
  readonly call: EndpointCallFacts
  /** Codecs negotiated with the caller's browser, best first; empty before it rang. */
  codecs(): readonly Codec[]
  /** Reports ringing to the caller, who can hear the endpoint from here on. */
  ring(): void
  /** Answers once the audio path is connected: a call that cannot be heard is not charged. */
  answer(): void
  /** Ends or rejects the call. @param atMs end of the charged time, monotonic milliseconds, if before now */
  hangUp(end: EndpointCause, atMs?: number): void
  /** Replaces what is playing by these, one after the other; silence follows. */
  play(sources: readonly AudioSource[], whenDone?: () => void): void
  add(source: AudioSource): void
  /** From here on the caller hears `relay` packets instead of what is playing. */
  startRelay(): void
  relay(packet: AudioPacket): void
  /** Reports to the caller's browser how much of its audio is lost on the way to the endpoint, 0 to 1. */
  reportLoss(fractionLost: number): void
  /** Plays a key's tone to the caller, in place of all other audio. */
  sound(digit: Digit): void
  /** Passes real-time text to the caller's page, once the call is answered. Undefined if no page called. */
  readonly text?: (message: RealTimeText) => void
  /** Sends nothing more, even silence: simulates a broken audio path. */
  cutAudio(): void
  /** Calls back once after `ms` milliseconds of the server's clock, unless the call ends first. */
  after(ms: number, action: () => void): void
}

export interface EndpointCall {
  /** Audio flows both ways. At the earliest right after `ring`. */
  connected?(): void
  digit?(digit: Digit): void
  /** Real-time text from the caller's page, in an answered call. */
  text?(message: RealTimeText): void
  /** A packet from the caller, in one of the endpoint's codecs. */
  audio?(packet: AudioPacket): void
  /** The loss of the endpoint's audio that the caller's browser reports, 0 to 1. */
  loss?(fractionLost: number): void
  /** Every 20 ms. `frame` is the ticker's count. */
  tick?(frame: number): void
  /** The call is over, whichever side ended it. Called once, last. */
  ended?(end: CarrierCause): void
}

export interface Endpoint {
  /** Best first. Audio that the exchange plays itself is G.711 mu-law, like any telephone's. */
  readonly codecs: readonly Codec[]
  answerWith(control: EndpointControl): EndpointCall
}
