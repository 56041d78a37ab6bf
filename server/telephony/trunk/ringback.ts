import { ringbackLoop } from '../exchange/media/tones.ts'

/** Ringback as a WAV file, for media hosts: one period of the cadence in G.711 mu-law. */
export const ringbackWav: Buffer = wavOf(ringbackLoop)

/** WAVE_FORMAT_MULAW, 8000 Hz, mono (RFC 2361). */
function wavOf(mulaw: Buffer): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + mulaw.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(7, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(8000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(mulaw.length, 40)
  return Buffer.concat([header, mulaw])
}
