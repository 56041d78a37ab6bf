/** G.711 mu-law, 8 kHz. Linear samples are 16 bit, as in the usual reference code (ITU-T G.711's 14 bit times four). */

export const sampleRateHz = 8000
const bias = 0x84
const clip = 32_635

/** Positive zero. */
export const silentOctet = 0xff

/** Everything moves in frames of 20 ms: 160 octets of mu-law. */
export const frameMs = 20
export const frameOctets: number = (sampleRateHz * frameMs) / 1000

export const silentFrame: Buffer = Buffer.alloc(frameOctets, silentOctet)

/** One linear sample, -32768 to 32767, as a mu-law octet. Clipped above 32635. */
export function encodeMulaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(Math.round(sample)), clip) + bias
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7)
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

export function decodeMulaw(octet: number): number {
  const bits = ~octet & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + bias) << ((bits >> 4) & 0x07)) - bias
  return bits & 0x80 ? -magnitude : magnitude
}

/** The squared linear sample of each octet, for level meters. */
export const energyOf: Float64Array = Float64Array.from(
  { length: 256 },
  (_, octet) => decodeMulaw(octet) ** 2,
)

/** One period of the digital milliwatt: 1 kHz at 0 dBm0 (ITU-T G.711, table 5). */
export const digitalMilliwatt: readonly number[] = [0x1e, 0x0b, 0x0b, 0x1e, 0x9e, 0x8b, 0x8b, 0x9e]

/** Root mean square of a 0 dBm0 sine in linear samples. */
export const rmsAt0Dbm0: number = Math.sqrt(
  digitalMilliwatt.reduce((sum, octet) => sum + decodeMulaw(octet) ** 2, 0) / digitalMilliwatt.length,
)
