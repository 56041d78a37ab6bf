import { existsSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockBuilds } from './build/lock.mjs'
import { projectRoot, sourcesFingerprint } from './fingerprint.mjs'

/** Data for the server; never served. */
export const serverData = '.server'

/** Whether `dist` holds a complete site made from the current sources; `draft`: a draft is enough. */
export function isBuilt(root = projectRoot, env = process.env, { draft = false } = {}) {
  const built = readStamp(root)
  return built?.fingerprint === sourcesFingerprint(root, env) && (draft || !built.draft)
}

function readStamp(root) {
  try {
    return JSON.parse(readFileSync(join(root, 'dist', serverData, 'build.json'), 'utf8'))
  } catch (error) {
    // Also for a moment while another build puts its site there.
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces the served site by a finished one. Both renames stay within one file system. */
export async function swapSite(next, current) {
  const old = `${next}.old`
  if (existsSync(current)) await rename(current, old)
  await rename(next, current)
  await rm(old, { recursive: true, force: true })
}

/**
 * Builds the site into `dist`, once no other build of it is running. A failed or killed build leaves the current site untouched.
 * @param {object} [options]
 * @param {boolean} [options.draft] leaves out the best compression and the pictures of shared links: enough for this machine, and
 * built in half the time
 * @param {boolean} [options.ifChanged] only if `dist` does not match the sources
 * @returns {Promise<number | undefined>} how long it took, in milliseconds; undefined if there was nothing to build
 */
export async function buildSite({ draft = false, ifChanged = false } = {}) {
  const isDone = () => ifChanged && isBuilt(projectRoot, process.env, { draft })
  if (isDone()) return
  const lock = lockBuilds(join(projectRoot, '.astro'), () =>
    console.log('Another build of this site is running; waiting for it ...'),
  )
  try {
    // The other build may have been of the same sources.
    if (isDone()) return
    const startedAt = performance.now()
    await build({ draft })
    return performance.now() - startedAt
  } finally {
    lock.release()
  }
}

async function build({ draft }) {
  const workshop = join(projectRoot, '.astro', 'sites')
  // A build that was killed may have left its site there.
  await rm(workshop, { recursive: true, force: true, maxRetries: 3 })
  const next = join(workshop, 'next')
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  process.env.NODE_ENV = 'production'
  // Vitest sets it, empty, and Astro would then build its scripts for development.
  delete process.env.PROD
  // For src/pages/og and scripts/build/integration.mjs.
  process.env.DRAFT_SITE = draft ? '1' : '0'
  // The bundler's allocator gives memory back once the bundle is done: a fifth of the build's peak.
  process.env.MIMALLOC_PURGE_DELAY = '0'
  process.chdir(projectRoot)
  const astro = await import('astro')
  try {
    await astro.build({ root: projectRoot, outDir: next, logLevel: 'warn' })
    await swapSite(next, join(projectRoot, 'dist'))
  } finally {
    await rm(next, { recursive: true, force: true, maxRetries: 3 })
  }
}
