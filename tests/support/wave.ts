import { readFileSync, writeFileSync } from 'node:fs'

/** Sound of one channel in 16 bits. */
export interface Wave {
  readonly rateHz: number
  readonly samples: Int16Array
}

const headerOctets = 44

export function writeWave(file: string, { rateHz, samples }: Wave): void {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  const header = Buffer.alloc(headerOctets)
  header.write('RIFF', 0)
  header.writeUInt32LE(headerOctets - 8 + data.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  // PCM, one channel.
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rateHz, 24)
  header.writeUInt32LE(2 * rateHz, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.length, 40)
  writeFileSync(file, Buffer.concat([header, data]))
}

/**
 * Reads to the end of the file: whoever still writes it has not said how long it is.
 * @throws Error when it is not what `writeWave` writes
 */
export function readWave(file: string): Wave {
  const octets = readFileSync(file)
  const [channels, bits] = [octets.readUInt16LE(22), octets.readUInt16LE(34)]
  if (channels !== 1 || bits !== 16 || octets.toString('latin1', 36, 40) !== 'data')
    throw new Error(`${file} is not 16-bit mono sound`)
  const length = Math.floor((octets.length - headerOctets) / 2)
  const samples = Int16Array.from({ length }, (_, index) => octets.readInt16LE(headerOctets + 2 * index))
  return { rateHz: octets.readUInt32LE(24), samples }
}
