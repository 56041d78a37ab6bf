import type { LineSample } from './quality.ts'

/** A sum over those seconds in which something was measured. */
interface Sum {
  readonly of: number
  readonly over: number
}

/** What was measured of a call until now. */
export interface CallMeasures {
  readonly seconds: number
  readonly heardSeconds: number
  /** Seconds of packets of which nobody knows how loud they were. */
  readonly unknownSeconds: number
  /** The browser tells how loud the call is. */
  readonly metered: boolean
  readonly mos: Sum
  readonly lossPercent: Sum
  readonly jitterMs: Sum
  readonly roundTripMs: Sum
}

/** What is told of a call once it has ended (`src/lib/api/call-quality.ts`). */
export interface CallReport {
  readonly seconds: number
  readonly heardSeconds: number
  readonly mos: number | null
  readonly lossPercent: number | null
  readonly jitterMs: number | null
  readonly roundTripMs: number | null
}

const none: Sum = { of: 0, over: 0 }
export const noMeasures: CallMeasures = {
  seconds: 0,
  heardSeconds: 0,
  unknownSeconds: 0,
  metered: false,
  mos: none,
  lossPercent: none,
  jitterMs: none,
  roundTripMs: none,
}

/**
 * -78 dB of full scale, four steps of 16 bits. The faintest sound that a telephone network can carry is one step of its
 * own code, eight of 16 bits or -72 dB (ITU-T G.711); comfort noise lies well above (about -60 to -70 dBm0, RFC 3389).
 * Silence that is decoded out of nothing is 0, or one step of rounding (-90 dB).
 */
export const audibleLevel = 10 ** (-78 / 20)

/** Whether a second brought any sound. Packets count where the browser does not tell how loud they were. */
export function isHeard({ packetsReceived, heardLevel }: LineSample): boolean {
  return packetsReceived > 0 && (heardLevel === null || heardLevel >= audibleLevel)
}

/** The largest figure that a report carries. */
const most = 100_000

function plus({ of, over }: Sum, value: number | null): Sum {
  if (value === null || !Number.isFinite(value)) return { of, over }
  return { of: of + Math.min(most, Math.max(0, value)), over: over + 1 }
}

/** With one more second. */
export function measure(measures: CallMeasures, sample: LineSample): CallMeasures {
  const arriving = sample.packetsReceived > 0
  const unknown = arriving && sample.heardLevel === null
  return {
    seconds: measures.seconds + (unknown ? 0 : 1),
    heardSeconds: measures.heardSeconds + (!unknown && isHeard(sample) ? 1 : 0),
    unknownSeconds: measures.unknownSeconds + (unknown ? 1 : 0),
    metered: measures.metered || sample.heardLevel !== null,
    mos: plus(measures.mos, arriving ? sample.mos : null),
    lossPercent: plus(measures.lossPercent, arriving ? sample.lossPercent : 100),
    jitterMs: plus(measures.jitterMs, arriving ? sample.jitterMs : null),
    roundTripMs: plus(measures.roundTripMs, sample.roundTripMs),
  }
}

function meanOf({ of, over }: Sum): number | null {
  return over === 0 ? null : Math.round((of / over) * 100) / 100
}

/**
 * Means over the whole call, to two decimals. Where the browser tells how loud the call is, a second of which it did not,
 * such as the first, is left out: it would make every silent call one that was heard.
 */
export function reportOf({
  seconds,
  heardSeconds,
  unknownSeconds,
  metered,
  ...sums
}: CallMeasures): CallReport {
  const byPackets = metered ? 0 : unknownSeconds
  return {
    seconds: seconds + byPackets,
    heardSeconds: heardSeconds + byPackets,
    mos: meanOf(sums.mos),
    lossPercent: meanOf(sums.lossPercent),
    jitterMs: meanOf(sums.jitterMs),
    roundTripMs: meanOf(sums.roundTripMs),
  }
}
