import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { billOfMaterials } from '../sbom.mjs'
import { serverData } from '../site.mjs'
import { hashOf, scriptHashes } from './csp-hashes.mjs'
import { hoistStyles } from './hoist-styles.mjs'
import { isLocalisedScript } from './languages/localise.mjs'
import { LateStyles } from './late-styles.mjs'
import { compressionName, precompress } from './precompress.mjs'
import { fillServiceWorker } from './service-worker.mjs'
import { shareScripts } from './share-scripts.mjs'
import { slimIcons } from './slim-icons.mjs'
import { Kinds } from './trim-css.mjs'

/** The route of a built page: `dev/inbox.html` is `/dev/inbox`, `index.html` is `/`. */
export function routeOfPage(file) {
  return file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
}

/**
 * Makes the pages of a fresh build small, and adds the server's data. The stamp is last: only a complete site has one.
 * @param {string} site directory of the built pages
 * @param {string} fingerprint of the sources it was built from
 * @param {{ draft?: boolean, earlier?: string, localise?: (name: string, html: string) => string }} [options] `earlier`: directory of
 *   the site that this one replaces, if there is one; `localise`: of `localiseScripts`
 */
export async function finishSite(
  site,
  fingerprint,
  { draft = false, earlier, localise = (_name, html) => html } = {},
) {
  const names = (await readdir(site, { recursive: true })).map(name => name.split(sep).join('/')).sort()
  const compression = await compressionName({ draft })
  const isReusable = earlier !== undefined && (await compressionOf(earlier)) === compression
  const compress = includes =>
    precompress(site, { draft, earlier: isReusable ? earlier : undefined, includes })
  const done = new Set(names.filter(name => !(name.endsWith('.html') || name === 'sw.js')))
  // Meanwhile: compressing leaves this thread idle.
  const compressed = compress(name => done.has(name))
  let hashes
  try {
    hashes = await finishPages(site, names, localise)
  } finally {
    await compressed
  }
  await compress(name => !done.has(name))
  const pages = names.filter(name => name.endsWith('.html'))
  const routes = Object.fromEntries(pages.map(name => [routeOfPage(name), name]))
  const data = join(site, serverData)
  await mkdir(data)
  await writeFile(join(data, 'csp.json'), JSON.stringify(hashes, null, 2))
  await writeFile(join(data, 'sbom.cdx.json'), billOfMaterials())
  const stamp = { fingerprint, draft, compression, routes }
  await writeFile(join(data, 'build.json'), JSON.stringify(stamp, null, 2))
}

/** @returns {Promise<object>} each page's own hashes: a policy with those of all pages would add 2 KB to every response */
async function finishPages(site, names, localise) {
  const read = name => readFileSync(join(site, name), 'utf8')
  const ending = end => names.filter(name => name.endsWith(end))
  const kinds = new Kinds()
  const lateStyles = new LateStyles()
  const shared = new Map()
  const pages = []
  for (const name of ending('.html')) {
    const page = hoistStyles(name, localise(name, read(name)))
    slimIcons(page)
    kinds.add(page)
    lateStyles.add(page)
    for (const [address, script] of shareScripts([page])) shared.set(address, script)
    pages.push({ page, scripts: scriptHashes(page) })
    page.seal()
    await setImmediate()
  }
  const scripts = ending('.js').filter(name => !isLocalisedScript(basename(name)))
  await kinds.trim(new Map(scripts.map(name => [basename(name), read(name)])))
  lateStyles.move(new Map(ending('.css').map(name => [`/${name}`, read(name)])))
  for (const [address, text] of [...lateStyles.files, ...shared]) await writeFile(join(site, address), text)
  for (const { page } of pages) await writeFile(join(site, page.name), page.html)
  await fillServiceWorker(
    site,
    pages.map(({ page }) => page),
  )
  return Object.fromEntries(
    pages.map(({ page: { name, css }, scripts: inline }) => [
      routeOfPage(name),
      { scripts: inline, styles: css === undefined ? [] : [hashOf(css)] },
    ]),
  )
}

async function compressionOf(site) {
  const stamp = join(site, serverData, 'build.json')
  return existsSync(stamp) ? JSON.parse(await readFile(stamp, 'utf8')).compression : undefined
}
