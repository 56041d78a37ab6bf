import type { CallEnd } from '../../port.ts'
import type { AudioPacket, Codec } from '../media/audio-packet.ts'
import type { AudioSource } from '../media/audio-source.ts'
import type { Digit } from '../media/clips.ts'

/** Why the far end ends a call, or never takes it. */
export type LineEnd = Extract<
  CallEnd,
  'callee_hung_up' | 'busy' | 'declined' | 'no_answer' | 'invalid_number' | 'connection_lost' | 'failed'
>

/** What a line knows of the call that reached it. */
export interface LineCallFacts {
  readonly callId: string
  /** The verified caller ID in E.164; undefined: the caller shows none of their own. */
  readonly from: string | undefined
}

/** What a line can do with the call that reached it. After the call's end all of it does nothing. */
export interface LineControl {
  readonly call: LineCallFacts
  /** What the caller's browser and we speak, best first; empty before it rang. */
  codecs(): readonly Codec[]
  /** Lets the caller know that it rings. From here on the caller can hear the line. */
  ring(): void
  /** Takes the call, as soon as its audio path stands: nobody pays for a call that cannot be heard. */
  answer(): void
  /**
   * Ends the call, or refuses it when it was not answered. `atMs`, in the clock's monotonic milliseconds, is
   * when it ended as far as its charge goes, where that was before now.
   */
  hangUp(end: LineEnd, atMs?: number): void
  /** Plays these one after the other in place of what plays now; silence follows. */
  play(sources: readonly AudioSource[], whenDone?: () => void): void
  /** Plays this after all that waits. */
  add(source: AudioSource): void
  /** From here on the caller hears what `relay` brings, in place of what plays. */
  startRelay(): void
  /** Passes a packet on to the caller, untouched. */
  relay(packet: AudioPacket): void
  /** Lets the caller hear the tone of a key, for as long as it lasts in place of all else. */
  sound(digit: Digit): void
  /** Sends nothing more, not even silence, whatever is played: the line's audio path broke. */
  cutAudio(): void
  /** Calls back once after so many milliseconds of the server's clock, unless the call ends first. */
  after(ms: number, action: () => void): void
}

/** One call on a line: what it wants to be told. */
export interface LineCall {
  /** Audio flows both ways. At the earliest right after `ring`. */
  connected?(): void
  /** A digit pressed by the caller after the answer. */
  digit?(digit: Digit): void
  /** Audio from the caller: one packet in a codec of the line. */
  audio?(packet: AudioPacket): void
  /** 20 ms have passed. `frame` is the ticker's count. */
  tick?(frame: number): void
  /** The call is over, whoever ended it. Called once; nothing follows. */
  ended?(end: CallEnd): void
}

/** A number's far end: a script over `LineControl`. */
export interface Line {
  /** What it speaks, best first. A line that the exchange plays itself is G.711 mu-law like any telephone. */
  readonly codecs: readonly Codec[]
  take(control: LineControl): LineCall
}
