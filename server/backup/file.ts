import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import { type Random, systemRandom } from '../process/random.ts'
import { StartError } from '../process/start-error.ts'

/** Bytes: one line of JSON, padded with blanks. An archive of pg_dump, or the embedded database's zipped rows, follows. */
export const headerBytes = 1024

const headerShape = z.object({
  format: z.literal('farline-backup'),
  version: z.literal(1),
  engine: z.enum(['postgresql', 'embedded']),
  takenAt: z.iso.datetime(),
  bytes: z.number(),
  sha256: z.string(),
})

export type BackupHeader = z.infer<typeof headerShape>

/**
 * Writes a temporary file, readable only by its owner, and renames it over an existing one when it is complete.
 * @param fill writes the payload and ends the stream
 * @throws what `fill` throws, or a disk error; no file is left then
 */
export async function writeBackup(
  path: string,
  about: Pick<BackupHeader, 'engine' | 'takenAt'>,
  fill: (into: Writable) => Promise<void>,
  random: Pick<Random, 'uuid'> = systemRandom,
): Promise<BackupHeader> {
  // Not the process id: in a container it is the same each time, and a killed process may have left its file.
  const unfinished = `${path}.${random.uuid()}.part`
  await writeFile(unfinished, ' '.repeat(headerBytes), { mode: 0o600, flag: 'wx' })
  try {
    const hash = createHash('sha256')
    let bytes = 0
    const measure = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk)
        bytes += chunk.length
        done(null, chunk)
      },
    })
    const written = pipeline(measure, createWriteStream(unfinished, { flags: 'r+', start: headerBytes }))
    await Promise.all([written, failTogether(fill, measure)])
    const header: BackupHeader = {
      format: 'farline-backup',
      version: 1,
      ...about,
      bytes,
      sha256: hash.digest('hex'),
    }
    const file = await open(unfinished, 'r+')
    try {
      await file.write(`${JSON.stringify(header).padEnd(headerBytes - 1)}\n`, 0)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
    await syncDirectory(dirname(path))
    return header
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Destroys the stream on failure, so that nothing waits for its end. */
async function failTogether(fill: (into: Writable) => Promise<void>, into: Writable): Promise<void> {
  try {
    await fill(into)
  } catch (error) {
    into.destroy(error as Error)
    throw error
  }
}

/** Checks length and hash. @throws StartError when it is not a backup, truncated or altered */
export async function verifyBackup(path: string): Promise<BackupHeader> {
  const header = await readHeader(path)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of openPayload(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  if (bytes !== header.bytes || hash.digest('hex') !== header.sha256) {
    throw new StartError(`${path} is damaged: its checksum does not match. Use another backup.`)
  }
  return header
}

async function readHeader(path: string): Promise<BackupHeader> {
  const text = Buffer.alloc(headerBytes)
  try {
    const file = await open(path)
    await file.read(text, 0, headerBytes, 0).finally(() => file.close())
  } catch (error) {
    throw new StartError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  try {
    return z.parse(headerShape, JSON.parse(text.toString()))
  } catch {
    throw new StartError(
      `${path} is not a backup of Farline, or comes from a newer version. Use the version that wrote it.`,
    )
  }
}

export function openPayload(path: string) {
  return createReadStream(path, { start: headerBytes })
}

/** Makes a rename in a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  await directory.sync().finally(() => directory.close())
}
