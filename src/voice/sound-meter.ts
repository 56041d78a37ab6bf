import { createSentLoss } from './sent-loss.ts'

/** Since the last measurement; null if the browser does not report it. */
export interface SoundFigures {
  /** Root mean squares, full scale 1. */
  readonly spoken: number | null
  readonly heard: number | null
  readonly sentLossPercent: number | null
}

/** Cumulative audio energy (squared level × seconds) and duration (W3C Webrtc-stats, section 8.5). */
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
  /** Measures since the previous call; the first has nothing to compare with. Never rejects. */
  measure(): Promise<SoundFigures>
}

const unknown: SoundFigures = { spoken: null, heard: null, sentLossPercent: null }

/**
 * Measures outgoing loss, which the voice client does not report, and loudness both ways, by the browser's sums:
 * these cover all time, and need no AudioContext, while the client's levels are snapshots of under a millisecond.
 */
export function createSoundMeter(connection: RTCPeerConnection | null | undefined): SoundMeter {
  let before: ReadonlyMap<string, Totals> = new Map()
  const sentLoss = createSentLoss()

  /** @param stalled the result if no audio samples came since the last measurement */
  function level(type: string, now: ReadonlyMap<string, Totals>, stalled: number | null): number | null {
    const [next, last] = [now.get(type), before.get(type)]
    if (next === undefined || last === undefined) return null
    const seconds = next.seconds - last.seconds
    const energy = next.energy - last.energy
    if (seconds === 0) return stalled
    // Counters restart with another microphone.
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
