import type { LineSample } from '#voice/quality.ts'

interface Sum {
  readonly of: number
  readonly over: number
}

export interface CallMeasures {
  readonly seconds: number
  readonly heardSeconds: number
  readonly unknownSeconds: number
  readonly metered: boolean
  readonly mos: Sum
  readonly lossPercent: Sum
  readonly jitterMs: Sum
  readonly roundTripMs: Sum
}

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
 * -78 dB of full scale, four steps of 16 bits. The faintest sound in a telephone network is one step of its codec,
 * eight of 16 bits or -72 dB (ITU-T G.711); comfort noise is well above (about -60 to -70 dBm0, RFC 3389). Silence
 * decoded from nothing is 0, or one rounding step (-90 dB).
 */
export const audibleLevel = 10 ** (-78 / 20)

/** Whether any sound arrived in this second. If the loudness is unknown, packets count as sound. */
export function isHeard({ packetsReceived, heardLevel }: LineSample): boolean {
  return packetsReceived > 0 && (heardLevel === null || heardLevel >= audibleLevel)
}

const maxMs = 100_000

function plus({ of, over }: Sum, value: number | null): Sum {
  if (value === null || !Number.isFinite(value)) return { of, over }
  return { of: of + Math.min(maxMs, Math.max(0, value)), over: over + 1 }
}

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

/** Means to two decimals. If loudness is measured, seconds without it are left out, or silence would count as heard. */
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
