import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small file system in memory. */
export interface SmallDisk {
  readonly directory: string
  fill(): void
  free(): void
  close(): void
}

export function disksAreMissing(): boolean {
  const disk = mountSmallDisk(1)
  disk?.close()
  if (disk === undefined) {
    console.log(
      'SKIPPED: a disk that is full: mounting a small one needs root. Run this as root, in a container.',
    )
  }
  return disk === undefined
}

/** @returns undefined when this user may not mount a file system */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  if (process.getuid?.() !== 0) return undefined
  const directory = mkdtempSync(join(tmpdir(), 'farline-small-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory])
  if (mounted.status !== 0) {
    rmSync(directory, { recursive: true })
    return undefined
  }
  chmodSync(directory, 0o777)
  const filler = join(directory, 'filler')
  return {
    directory,
    fill: () => {
      const file = openSync(filler, 'a')
      try {
        for (const size of [1 << 20, 4096]) writeUntilFull(file, Buffer.alloc(size, 1))
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
    close: () => {
      spawnSync('umount', ['-l', directory])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function writeUntilFull(file: number, chunk: Buffer): void {
  for (;;) {
    try {
      writeSync(file, chunk)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}
