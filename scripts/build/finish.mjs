import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { publicUrlOf } from '../public-url.mjs'
import { billOfMaterials } from '../sbom.mjs'
import { serverData } from '../site.mjs'
import { hashOf, scriptHashes } from './csp-hashes.mjs'
import { hoistStyles } from './hoist-styles.mjs'
import { isLocalisedScript } from './languages/localise.mjs'
import { LateStyles } from './late-styles.mjs'
import { compressionName, filesIn, precompress } from './precompress.mjs'
import { fillServiceWorker } from './service-worker.mjs'
import { shareScripts } from './share-scripts.mjs'
import { slimIcons } from './slim-icons.mjs'
import { Kinds } from './trim-css.mjs'

/** The route of a built page: `dev/inbox.html` is `/dev/inbox`, `index.html` is `/`. */
export function routeOfPage(file) {
  return file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
}

const serviceWorker = 'sw.js'

/**
 * Makes the pages of a fresh build small, and adds the server's data. The stamp is last: only a complete site has one.
 * @param {string} site directory of the built pages
 * @param {string} fingerprint of the sources it was built from
 * @param {object} [options]
 * @param {boolean} [options.draft]
 * @param {string} [options.earlier] directory of the site that this one replaces, if there is one
 * @param {(name: string, html: string) => string} [options.localise] of `localiseScripts`
 * @param {readonly string[]} [options.scripts] files that are being compressed already
 * @param {Promise<unknown>} [options.compressed] once those are
 */
export async function finishSite(
  site,
  fingerprint,
  { draft = false, earlier, localise = (_name, html) => html, scripts = [], compressed } = {},
) {
  const names = (await filesIn(site)).sort()
  const pages = names.filter(name => name.endsWith('.html'))
  const later = new Set([...pages, ...scripts, serviceWorker])
  const others = names.filter(name => !later.has(name))
  const compress = (files, options) => precompress(site, { draft, earlier, files, ...options })
  const finisher = new PageFinisher(site, names, localise)
  // Compressing leaves this thread idle, so it runs beside the pages. Those that take longest to compress are finished first.
  const running = [compressed, compress(others, { lanes: 1 })]
  try {
    const isDeep = name => name.split('/').length > 2
    for (const round of [pages.filter(name => !isDeep(name)), pages.filter(isDeep)])
      running.push(compress(await finisher.finish(round)))
    await fillServiceWorker(site, pages)
    running.push(compress(names.filter(name => name === serviceWorker)))
  } finally {
    // A page that fails is the error to report, once nothing writes into the site any more.
    await Promise.allSettled(running)
  }
  await Promise.all(running)
  const data = join(site, serverData)
  await mkdir(data)
  await writeFile(join(data, 'csp.json'), JSON.stringify(finisher.hashes, null, 2))
  await writeFile(join(data, 'sbom.cdx.json'), billOfMaterials())
  const routes = Object.fromEntries(pages.map(name => [routeOfPage(name), name]))
  const publicUrl = publicUrlOf(process.env)
  const stamp = { fingerprint, draft, publicUrl, compression: await compressionName({ draft }), routes }
  await writeFile(join(data, 'build.json'), JSON.stringify(stamp, null, 2))
}

/** Pages that are finished together have one style if they had one before. */
class PageFinisher {
  /** Each page's own hashes, by route: a policy with those of all pages would add 2 KB to every response. */
  hashes = {}
  #site
  #localise
  #scripts
  #sheets
  #added = new Set()

  /** @param {string[]} names of all files of the site, as Astro built it */
  constructor(site, names, localise) {
    this.#site = site
    this.#localise = localise
    const ending = end => names.filter(name => name.endsWith(end))
    const scripts = ending('.js').filter(name => !isLocalisedScript(basename(name)))
    this.#scripts = new Map(scripts.map(name => [basename(name), this.#read(name)]))
    this.#sheets = new Map(ending('.css').map(name => [`/${name}`, this.#read(name)]))
  }

  #read(name) {
    return readFileSync(join(this.#site, name), 'utf8')
  }

  /**
   * @param {string[]} names of pages
   * @returns {Promise<string[]>} the files that are complete now
   */
  async finish(names) {
    const kinds = new Kinds()
    const lateStyles = new LateStyles()
    const shared = new Map()
    const pages = []
    for (const name of names) {
      const page = hoistStyles(name, this.#localise(name, withoutIslandIds(this.#read(name))))
      slimIcons(page)
      kinds.add(page)
      lateStyles.add(page)
      for (const [address, script] of shareScripts([page])) shared.set(address, script)
      pages.push({ page, scripts: scriptHashes(page) })
      page.seal()
      await setImmediate()
    }
    await kinds.trim(this.#scripts)
    lateStyles.move(this.#sheets)
    const added = [...lateStyles.files, ...shared].filter(([address]) => !this.#added.has(address))
    for (const [address, text] of added) {
      this.#added.add(address)
      await writeFile(join(this.#site, address), text)
    }
    for (const { page, scripts } of pages) {
      await writeFile(join(this.#site, page.name), page.html)
      const styles = page.css === undefined ? [] : [hashOf(page.css)]
      this.hashes[routeOfPage(page.name)] = { scripts, styles }
    }
    return [...added.map(([address]) => address.slice(1)), ...names]
  }
}

/** Astro makes them from the project's folder, and nothing reads them. Without them, a site is the same wherever it is built. */
function withoutIslandIds(html) {
  return html.replaceAll(/(<astro-island) uid="\w+"/g, '$1')
}
