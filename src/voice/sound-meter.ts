import { createSentLoss } from './sent-loss.ts'

/** Of the time since the last look; null where the browser does not tell. */
export interface SoundFigures {
  /** Root mean squares, full scale 1. */
  readonly spoken: number | null
  readonly heard: number | null
  /** As the other end last reported. */
  readonly sentLossPercent: number | null
}

/** What a browser adds up of a sound: squares of its level times seconds, and seconds (W3C Webrtc-stats, section 8.5). */
interface Totals {
  readonly energy: number
  readonly seconds: number
}

interface SoundStats {
  readonly type?: unknown
  readonly kind?: unknown
  readonly totalAudioEnergy?: unknown
  readonly totalSamplesDuration?: unknown
}

export interface SoundMeter {
  /** Measures since the last call of this; the first one has nothing to compare with. Never rejects. */
  measure(): Promise<SoundFigures>
}

const unknown: SoundFigures = { spoken: null, heard: null, sentLossPercent: null }

/**
 * What the voice client does not tell of a call. How loud it is, both ways, by the browser's own sums: they miss nothing
 * between two looks, and go on where a page is not allowed to play with sound by itself, while the client's levels are
 * snapshots of less than a millisecond. And how much of what is said gets lost: the client counts what arrives.
 */
export function createSoundMeter(connection: RTCPeerConnection | null | undefined): SoundMeter {
  let before: ReadonlyMap<string, Totals> = new Map()
  const sentLoss = createSentLoss()

  /** @param stalled the level where not a sample has come since the last look */
  function level(type: string, now: ReadonlyMap<string, Totals>, stalled: number | null): number | null {
    const [next, last] = [now.get(type), before.get(type)]
    if (next === undefined || last === undefined) return null
    const seconds = next.seconds - last.seconds
    const energy = next.energy - last.energy
    if (seconds === 0) return stalled
    // Another microphone begins anew.
    return seconds > 0 && energy >= 0 ? Math.sqrt(energy / seconds) : null
  }

  return {
    async measure() {
      if (connection == null) return unknown
      try {
        const report = await connection.getStats()
        const now = totalsOf(report)
        const [spoken, heard] = [level('media-source', now, 0), level('inbound-rtp', now, null)]
        before = now
        return { spoken, heard, sentLossPercent: sentLoss(report) }
      } catch {
        return unknown
      }
    },
  }
}

function totalsOf(report: RTCStatsReport): ReadonlyMap<string, Totals> {
  const totals = new Map<string, Totals>()
  report.forEach(({ type, kind, totalAudioEnergy: energy, totalSamplesDuration: seconds }: SoundStats) => {
    if (kind !== 'audio' || typeof type !== 'string') return
    if (typeof energy === 'number' && typeof seconds === 'number') totals.set(type, { energy, seconds })
  })
  return totals
}
