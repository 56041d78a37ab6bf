import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { billOfMaterials } from '../sbom.mjs'
import { serverData } from '../site.mjs'
import { inlineHashes } from './csp-hashes.mjs'
import { hoistStyles } from './hoist-styles.mjs'
import { moveLateStyles } from './late-styles.mjs'
import { Page } from './page.mjs'
import { compressionName, precompress } from './precompress.mjs'
import { fillServiceWorker } from './service-worker.mjs'
import { shareScripts } from './share-scripts.mjs'
import { slimIcons } from './slim-icons.mjs'
import { trimCss } from './trim-css.mjs'

/** The route of a built page: `dev/inbox.html` is `/dev/inbox`, `index.html` is `/`. */
export function routeOfPage(file) {
  return file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
}

/** Each page's own hashes: a policy with those of all pages would add 2 KB to every response. */
function hashesByRoute(pages) {
  return Object.fromEntries(pages.map(page => [routeOfPage(page.name), inlineHashes([page])]))
}

/**
 * Makes the pages of a fresh build small, and adds the server's data. The stamp is last: only a complete site has one.
 * @param {string} site directory of the built pages
 * @param {string} fingerprint of the sources it was built from
 * @param {{ draft?: boolean, earlier?: string }} [options] `earlier`: directory of the site that this one replaces, if there is one
 */
export async function finishSite(site, fingerprint, { draft = false, earlier } = {}) {
  const names = (await readdir(site, { recursive: true })).map(name => name.split(sep).join('/')).sort()
  const texts = ending => {
    const chosen = names.filter(name => name.endsWith(ending))
    return Promise.all(chosen.map(async name => [name, await readFile(join(site, name), 'utf8')]))
  }
  const parsed = (await texts('.html')).map(([name, html]) => new Page(name, html))
  const scripts = (await texts('.js')).map(([name, script]) => [basename(name), script])
  for (const page of parsed) {
    slimIcons(page)
    hoistStyles(page)
  }
  await trimCss(parsed, new Map(scripts))
  const sheets = (await texts('.css')).map(([name, sheet]) => [`/${name}`, sheet])
  for (const [address, sheet] of moveLateStyles(parsed, new Map(sheets)))
    await writeFile(join(site, address), sheet)
  for (const [address, script] of shareScripts(parsed)) await writeFile(join(site, address), script)
  const pages = parsed.map(({ name, html }) => ({ name, html }))
  await Promise.all(pages.map(({ name, html }) => writeFile(join(site, name), html)))
  const routes = Object.fromEntries(pages.map(({ name }) => [routeOfPage(name), name]))
  await fillServiceWorker(site, pages)
  const compression = await compressionName({ draft })
  const isReusable = earlier !== undefined && (await compressionOf(earlier)) === compression
  const compressed = precompress(site, { draft, earlier: isReusable ? earlier : undefined })
  let hashes
  try {
    // Meanwhile: compressing leaves this thread idle.
    hashes = hashesByRoute(pages)
  } finally {
    await compressed
  }
  const data = join(site, serverData)
  await mkdir(data)
  await writeFile(join(data, 'csp.json'), JSON.stringify(hashes, null, 2))
  await writeFile(join(data, 'sbom.cdx.json'), billOfMaterials())
  const stamp = { fingerprint, draft, compression, routes }
  await writeFile(join(data, 'build.json'), JSON.stringify(stamp, null, 2))
}

async function compressionOf(site) {
  const stamp = join(site, serverData, 'build.json')
  return existsSync(stamp) ? JSON.parse(await readFile(stamp, 'utf8')).compression : undefined
}
