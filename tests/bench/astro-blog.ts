import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { precompress } from '#scripts/build/precompress.mjs'
import { findFreePort } from '#support/test-server.ts'
import { copyProject } from './project-copy.ts'

export interface PeerSite {
  readonly url: string
  close(): Promise<void>
}

/**
 * Astro's own blog example (see astro-blog/NOTICE.md), built with our Astro by its own settings, and then
 * compressed and sent by the same code as our pages.
 */
export async function serveAstroBlog(): Promise<PeerSite> {
  const copy = copyProject(join(import.meta.dirname, 'astro-blog'))
  const site = join(copy, 'dist')
  await promisify(execFile)(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], {
    cwd: copy,
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  })
  await precompress(site)
  const port = await findFreePort()
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'static-process.ts'), site, String(port)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const [ready] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (ready !== 'ready') throw new Error("the server of the peer's site did not start")
  return {
    url: `http://localhost:${port}`,
    close: async () => {
      const gone = once(child, 'exit')
      child.kill()
      await gone
      rmSync(copy, { recursive: true, force: true })
    },
  }
}
