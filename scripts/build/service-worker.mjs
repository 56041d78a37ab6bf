import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Page } from './page.mjs'

const offlinePage = 'offline.html'
const placeholder = '"SITE"'

/** Address of the dialler's script in its page. */
function diallerOf(page) {
  const addresses = page.elements.map(({ attributes }) => attributes.get('component-url'))
  const found = addresses.find(address => address?.includes('/Dialler'))
  if (found === undefined) throw new Error('the service worker finds no dialler')
  return found
}

/** Fonts and art that a page names in its markup or styles. */
function filesOf(page) {
  const addresses = page.elements.flatMap(({ attributes }) => [attributes.get('src'), attributes.get('href')])
  const inMarkup = addresses.filter(address => /^\/(?:fonts|art)\//.test(address ?? ''))
  const css = page.named('style').map(style => page.textOf(style))
  const inStyles = css.flatMap(text =>
    [...text.matchAll(/url\(["']?(\/fonts\/[^"')]+)/g)].map(([, url]) => url),
  )
  return [...new Set([...inMarkup, ...inStyles])].sort()
}

/**
 * Writes the files to cache and the site's version into the built service worker. It changes, so that browsers update
 * it, only when the dialler's scripts or the offline page change.
 * @param {string} site
 * @param {readonly string[]} pages names of the finished pages
 */
export async function fillServiceWorker(site, pages) {
  const path = join(site, 'sw.js')
  const code = existsSync(path) ? await readFile(path, 'utf8') : ''
  // No service worker, or the one that removes it.
  if (!code.includes(placeholder)) return
  const read = name => readFile(join(site, name), 'utf8')
  const diallers = pages.filter(name => /(?:^|\/)call\.html$/.test(name))
  const versions = await Promise.all(diallers.map(async name => diallerOf(new Page(name, await read(name)))))
  const offline = await read(offlinePage)
  const files = filesOf(new Page(offlinePage, offline))
  const inLanguages = pages.filter(name => name.endsWith(`/${offlinePage}`))
  const hash = createHash('sha256').update(offline)
  for (const name of inLanguages) hash.update(await read(name))
  for (const file of files) hash.update(await readFile(join(site, file)))
  const kept = ['/offline', ...files]
  const languages = inLanguages.map(name => name.split('/')[0])
  const cache = hash.digest('base64url').slice(0, 8)
  await writeFile(
    path,
    code.replace(placeholder, () => JSON.stringify({ versions, cache, kept, languages })),
  )
}
