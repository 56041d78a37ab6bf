import { sampleRateHz, silentOctet } from './mulaw.ts'

/** Everything moves in frames of 20 ms: 160 octets of mu-law. */
export const frameMs = 20
export const frameOctets: number = (sampleRateHz * frameMs) / 1000

export const silentFrame: Buffer = Buffer.alloc(frameOctets, silentOctet)
