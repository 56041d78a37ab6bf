import { lineLimits } from './quality.ts'

/** What a check measured of the line to the voice service, there and back. */
export interface LineFigures {
  readonly roundTripMs: number
  readonly lossPercent: number
  readonly jitterMs: number
}

export type MicrophoneCheck =
  | 'asking'
  | 'listening'
  /** A voice, or anything as loud, has come. */
  | 'hears'
  /** Open for some seconds, and nothing as loud as a voice yet. */
  | 'silent'
  | 'denied'
  | 'missing'
  | 'busy'

/** `asked`: the tone was played, and the user has not said whether it was heard; `failed`: the browser did not play it. */
export type SpeakerCheck = 'untried' | 'playing' | 'asked' | 'heard' | 'unheard' | 'failed'

/** Why there are no figures. `no_sound`: the service is reached, and sound does not get through; `told`: in the server's words. */
export type ConnectionFailure = 'signed_out' | 'unreachable' | 'no_sound' | 'told'

export type ConnectionCheck =
  | { readonly kind: 'measuring' }
  | { readonly kind: 'measured'; readonly figures: LineFigures }
  | { readonly kind: 'failed'; readonly why: Exclude<ConnectionFailure, 'told'> }
  | { readonly kind: 'failed'; readonly why: 'told'; readonly message: string }

export interface LineCheck {
  readonly microphone: MicrophoneCheck
  readonly speaker: SpeakerCheck
  readonly connection: ConnectionCheck
}

export const newLineCheck: LineCheck = {
  microphone: 'asking',
  speaker: 'untried',
  connection: { kind: 'measuring' },
}

type Fault = 'loss' | 'jitter' | 'round_trip'

/** What of a line is weak, by the limits that a call's quality goes by (decision 37); empty for a steady one. */
export function weaknesses({ lossPercent, jitterMs, roundTripMs }: LineFigures): readonly Fault[] {
  const faults: Fault[] = []
  if (roundTripMs >= lineLimits.roundTripMs.weak) faults.push('round_trip')
  if (lossPercent >= lineLimits.lossPercent.weak) faults.push('loss')
  if (jitterMs >= lineLimits.jitterMs.weak) faults.push('jitter')
  return faults
}

/** The figures as they stand beside Connection. */
export function figureWords({ roundTripMs, lossPercent, jitterMs }: LineFigures): string {
  const loss =
    lossPercent === 0 ? 'no loss' : lossPercent < 1 ? 'under 1% loss' : `${Math.round(lossPercent)}% loss`
  return `${Math.max(1, Math.round(roundTripMs))} ms round trip, ${loss} arriving, ${Math.round(jitterMs)} ms jitter`
}

export type Verdict =
  /** Something is still being looked at. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ready'; readonly title: string; readonly text: string }
  /** All is well but the speaker, of which nothing is known. */
  | { readonly kind: 'untried'; readonly text: string }
  /** A sentence for each thing that will be bad, and what to do about it. */
  | { readonly kind: 'poor'; readonly text: string }

const microphoneWords: Readonly<Record<MicrophoneCheck, string | null>> = {
  asking: null,
  listening: null,
  hears: null,
  silent: 'Nobody may hear you.',
  denied: 'You can listen, but nobody will hear you.',
  missing: 'You can listen, but nobody will hear you.',
  busy: 'You can listen, but nobody will hear you.',
}

/** About so long would what is said take to come back: in tenths of a second, beyond a second in whole ones. */
function lag(roundTripMs: number): string {
  if (roundTripMs < 700) return 'about half a second'
  return roundTripMs < 1500 ? 'about a second' : `about ${Math.round(roundTripMs / 1000)} seconds`
}

function connectionWords(connection: ConnectionCheck): readonly string[] {
  if (connection.kind === 'measuring') return []
  if (connection.kind === 'failed') {
    if (connection.why === 'no_sound')
      return ['No sound gets through. Try another network, or switch a VPN off.']
    return connection.why === 'unreachable' ? ['Calls cannot start while the service is out of reach.'] : []
  }
  const faults = weaknesses(connection.figures)
  const words = {
    round_trip: `Calls would lag by ${lag(connection.figures.roundTripMs)}.`,
    loss: 'Words would get lost.',
    jitter: 'Sound would be choppy.',
  } as const
  const advice = faults.some(fault => fault !== 'round_trip')
    ? 'Move nearer the router, use a cable, or pause downloads.'
    : 'A VPN that is switched on may be the reason.'
  return faults.length === 0 ? [] : [...faults.map(fault => words[fault]), advice]
}

const speakerWords: Readonly<Record<Exclude<SpeakerCheck, 'heard' | 'unheard'>, string>> = {
  untried: 'The line is steady. Play the tone to try your speaker.',
  playing: 'The line is steady. Listen for the tone.',
  asked: 'The line is steady. Did you hear the tone?',
  failed: 'The line is steady. Your speaker could not be tried.',
}

/** What calls made now will be like. */
export function verdictOf({ microphone, speaker, connection }: LineCheck): Verdict {
  const words = [microphoneWords[microphone], speaker === 'unheard' ? 'You would not hear them.' : null]
    .filter(text => text !== null)
    .concat(connectionWords(connection))
  if (words.length > 0) return { kind: 'poor', text: words.join(' ') }
  if (microphone !== 'hears' || connection.kind === 'measuring') return { kind: 'waiting' }
  if (connection.kind === 'failed') return { kind: 'waiting' }
  if (speaker !== 'heard' && speaker !== 'unheard') return { kind: 'untried', text: speakerWords[speaker] }
  return { kind: 'ready', title: 'Ready to call', text: 'Expect a clear line, like an ordinary phone.' }
}
