import { decodeMulaw } from '#server/telephony/exchange/media/mulaw.ts'

/**
 * How much of the sound is at one frequency: 0 to 1 of its energy (Goertzel's algorithm).
 * Half a second distinguishes frequencies 4 Hz apart.
 */
export function shareAt(frequencyHz: number, mulaw: Uint8Array): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequencyHz) / 8000)
  let previous = 0
  let beforePrevious = 0
  let energy = 0
  for (const octet of mulaw) {
    const sample = decodeMulaw(octet)
    const value = sample + coefficient * previous - beforePrevious
    beforePrevious = previous
    previous = value
    energy += sample ** 2
  }
  if (energy === 0) return 0
  const power = previous ** 2 + beforePrevious ** 2 - coefficient * previous * beforePrevious
  return (2 * power) / (mulaw.length * energy)
}
