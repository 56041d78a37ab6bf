import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot, sourcesFingerprint } from './fingerprint.mjs'

/** Data for the server; never served. */
export const serverData = '.server'

/** Whether `dist` holds a complete site made from the current sources; `draft`: a draft is enough. */
export function isBuilt(root = projectRoot, env = process.env, { draft = false } = {}) {
  const stamp = join(root, 'dist', serverData, 'build.json')
  if (!existsSync(stamp)) return false
  const built = JSON.parse(readFileSync(stamp, 'utf8'))
  return built.fingerprint === sourcesFingerprint(root, env) && (draft || !built.draft)
}

/** Replaces the served site by a finished one. Both renames stay within one file system. */
export async function swapSite(next, current) {
  const old = `${next}.old`
  if (existsSync(current)) await rename(current, old)
  await rename(next, current)
  await rm(old, { recursive: true, force: true })
}

/** Removes the remains of killed builds: each build works in a folder named after its process id. */
async function removeAbandoned(workshop) {
  for (const name of await readdir(workshop)) {
    if (!isRunning(Number.parseInt(name, 10)))
      await rm(join(workshop, name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Builds the site into `dist`. A failed or killed build leaves the current site untouched. A draft leaves out the best
 * compression and the pictures of shared links: it is enough for this machine, and built in half the time.
 */
export async function buildSite({ draft = false } = {}) {
  const workshop = join(projectRoot, '.astro', 'sites')
  const next = join(workshop, String(process.pid))
  await mkdir(workshop, { recursive: true })
  await removeAbandoned(workshop)
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  process.env.NODE_ENV = 'production'
  // Vitest sets it, empty, and Astro would then build its scripts for development.
  delete process.env.PROD
  // For src/pages/og and scripts/build/integration.mjs.
  process.env.DRAFT_SITE = draft ? '1' : '0'
  // The bundler's allocator gives memory back once the bundle is done: a fifth of the build's peak.
  process.env.MIMALLOC_PURGE_DELAY = '0'
  process.chdir(projectRoot)
  const { build } = await import('astro')
  try {
    await build({ root: projectRoot, outDir: next, logLevel: 'warn' })
    await swapSite(next, join(projectRoot, 'dist'))
  } finally {
    await rm(next, { recursive: true, force: true, maxRetries: 3 })
  }
}
