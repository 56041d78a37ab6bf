import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { inlineHashes } from './build/csp-hashes.mjs'
import { hoistStyles } from './build/hoist-styles.mjs'
import { precompress } from './build/precompress.mjs'
import { fillServiceWorker } from './build/service-worker.mjs'
import { shareScripts } from './build/share-scripts.mjs'
import { slimIcons } from './build/slim-icons.mjs'
import { trimCss } from './build/trim-css.mjs'
import { projectRoot, sourcesFingerprint } from './fingerprint.mjs'
import { billOfMaterials } from './sbom.mjs'

/** Data for the server; never served. */
const serverData = '.server'

/**
 * What a draft leaves out makes the site smaller on the way, or is for other sites: the best compression, and pictures of
 * shared links. It is enough for this machine, and built in half the time.
 * @typedef {{ draft?: boolean }} Kind
 */

/**
 * Whether `dist` holds a complete site made from the current sources.
 * @param {string} [root] the project's directory
 * @param {NodeJS.ProcessEnv} [env]
 * @param {Kind} [kind] `draft`: a draft is enough
 */
export function isBuilt(root = projectRoot, env = process.env, { draft = false } = {}) {
  const stamp = join(root, 'dist', serverData, 'build.json')
  if (!existsSync(stamp)) return false
  const built = JSON.parse(readFileSync(stamp, 'utf8'))
  return built.fingerprint === sourcesFingerprint(root, env) && (draft || !built.draft)
}

/**
 * The route of a built page: `dev/inbox.html` is `/dev/inbox`, `index.html` is `/`.
 * @param {string} file relative to the site, with forward slashes
 */
export function routeOfPage(file) {
  return file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
}

/**
 * Each page's own hashes: a policy with those of all pages would add 2 KB to every response.
 * @param {readonly { name: string, html: string }[]} pages
 */
function hashesByRoute(pages) {
  return Object.fromEntries(pages.map(page => [routeOfPage(page.name), inlineHashes([page])]))
}

/**
 * Adds the server's data to a freshly built site. The stamp comes last, so that only a complete site has one.
 * @param {string} site directory of the built pages
 * @param {string} fingerprint of the sources it was built from
 * @param {Kind} [kind]
 */
export async function finishSite(site, fingerprint, { draft = false } = {}) {
  const names = await readdir(site, { recursive: true })
  const files = names.filter(name => name.endsWith('.html')).map(name => name.split(sep).join('/'))
  const built = await Promise.all(
    files.sort().map(async name => ({
      name,
      html: slimIcons(hoistStyles(await readFile(join(site, name), 'utf8'))),
    })),
  )
  const scriptFiles = names.filter(name => name.endsWith('.js'))
  const scripts = await Promise.all(
    scriptFiles.map(
      async name => /** @type {const} */ ([basename(name), await readFile(join(site, name), 'utf8')]),
    ),
  )
  const { pages, files: shared } = shareScripts(await trimCss(built, new Map(scripts)))
  for (const [address, script] of shared) await writeFile(join(site, address), script)
  await Promise.all(pages.map(({ name, html }) => writeFile(join(site, name), html)))
  const routes = Object.fromEntries(files.map(file => [routeOfPage(file), file]))
  await fillServiceWorker(site, pages)
  await precompress(site, { draft })
  const data = join(site, serverData)
  await mkdir(data)
  await writeFile(join(data, 'csp.json'), JSON.stringify(hashesByRoute(pages), null, 2))
  await writeFile(join(data, 'sbom.cdx.json'), billOfMaterials())
  await writeFile(join(data, 'build.json'), JSON.stringify({ fingerprint, draft, routes }, null, 2))
}

/**
 * Replaces the served site by a finished one. Both renames stay within one file system.
 * @param {string} next
 * @param {string} current
 */
export async function swapSite(next, current) {
  const old = `${next}.old`
  if (existsSync(current)) await rename(current, old)
  await rename(next, current)
  await rm(old, { recursive: true, force: true })
}

/**
 * Removes the remains of killed builds: each build works in a folder named after its process id.
 * @param {string} workshop
 */
async function removeAbandoned(workshop) {
  for (const name of await readdir(workshop)) {
    if (!isRunning(Number.parseInt(name, 10)))
      await rm(join(workshop, name), { recursive: true, force: true })
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Builds the site into `dist`. A failed or killed build leaves the current site untouched.
 * @param {Kind} [kind]
 */
export async function buildSite({ draft = false } = {}) {
  const fingerprint = sourcesFingerprint()
  const workshop = join(projectRoot, '.astro', 'sites')
  const next = join(workshop, String(process.pid))
  await mkdir(workshop, { recursive: true })
  await removeAbandoned(workshop)
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  process.env.NODE_ENV = 'production'
  // For the pages: src/pages/og.
  if (draft) process.env.DRAFT_SITE = '1'
  process.chdir(projectRoot)
  const { build } = await import('astro')
  try {
    await build({ root: projectRoot, outDir: next, logLevel: 'warn' })
    await finishSite(next, fingerprint, { draft })
    await swapSite(next, join(projectRoot, 'dist'))
  } finally {
    await rm(next, { recursive: true, force: true })
  }
}
