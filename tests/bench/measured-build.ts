import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

export interface Build {
  readonly seconds: number
  /** Resident memory at its highest. */
  readonly peakBytes: number
}

export function describeBuild({ seconds, peakBytes }: Build): string {
  return `${seconds.toFixed(1)} s, ${(peakBytes / 1024 ** 2).toFixed(0)} MiB`
}

/** Builds the copy of a project in a process of its own. */
export async function measureBuild(copy: string): Promise<Build> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'build-process.ts'), copy], {
    cwd: copy,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const [answer] = await Promise.race([once(child, 'message'), ended])
  const seconds = (performance.now() - began) / 1000
  const [exitCode] = await ended
  if (exitCode !== 0) throw new Error('the build failed')
  return { seconds, peakBytes: Number(answer) }
}

/** Removes all that earlier builds kept: the next one starts as on a fresh clone. */
export function forgetBuilds(copy: string): void {
  for (const kept of ['dist', '.astro', 'node_modules/.astro', 'node_modules/.vite'])
    rmSync(join(copy, kept), { recursive: true, force: true })
}
