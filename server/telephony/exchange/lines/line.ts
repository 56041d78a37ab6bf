import type { CallEnd } from '../../port.ts'
import type { AudioSource } from '../media/audio-source.ts'
import type { Digit } from '../media/clips.ts'
import type { Codec } from '../media/media-leg.ts'

/** Why the far end ends a call, or never takes it. */
export type LineEnd = Extract<
  CallEnd,
  'callee_hung_up' | 'busy' | 'declined' | 'no_answer' | 'invalid_number' | 'connection_lost' | 'failed'
>

/** What a line can do with the call that reached it. After the call's end all of it does nothing. */
export interface LineControl {
  /** Lets the caller know that it rings. From here on the caller can hear the line. */
  ring(): void
  /** Takes the call, as soon as its audio path stands: nobody pays for a call that cannot be heard. */
  answer(): void
  /** Ends the call, or refuses it when it was not answered. */
  hangUp(end: LineEnd): void
  /** Plays these one after the other in place of what plays now; silence follows. */
  play(sources: readonly AudioSource[], whenDone?: () => void): void
  /** Plays this after all that waits. */
  add(source: AudioSource): void
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
  /** Audio from the caller: the payload of one packet in the line's codec. */
  audio?(payload: Buffer): void
}

/** A number's far end: a script over `LineControl`. */
export interface Line {
  /** What it speaks, best first. A line that the exchange plays itself is G.711 mu-law like any telephone. */
  readonly codecs: readonly Codec[]
  take(control: LineControl): LineCall
}
