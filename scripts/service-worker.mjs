import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const offlinePage = 'offline.html'
const placeholder = '"SITE"'

/** Files that a page names in its markup or in its styles: what it needs to be seen. */
const named = /\b(?:src|href)="(\/(?:fonts|art)\/[^"]+)"|url\(["']?(\/fonts\/[^"')]+)/g

/** @param {string} html */
function filesOf(html) {
  return [...new Set([...html.matchAll(named)].map(([, attribute, url]) => attribute ?? url))].sort()
}

/**
 * Tells the built service worker what it is to keep, and of which version the site is. Its bytes change, so that browsers
 * take it for a new one, when the dialler's scripts do or the offline page does: not with every page that is written.
 * @param {string} site directory of the built pages
 * @param {readonly { name: string, html: string }[]} pages as they are served
 */
export async function fillServiceWorker(site, pages) {
  const path = join(site, 'sw.js')
  const code = existsSync(path) ? await readFile(path, 'utf8') : ''
  // A site without one, or with the one that takes its place when it must go.
  if (!code.includes(placeholder)) return
  const htmlOf = name => pages.find(page => page.name === name)?.html ?? ''
  const version = /component-url="([^"]*\/Dialler[^"]*)"/.exec(htmlOf('call.html'))?.[1]
  if (version === undefined) throw new Error('the service worker finds no dialler')
  const offline = htmlOf(offlinePage)
  const files = filesOf(offline)
  const hash = createHash('sha256').update(offline)
  for (const file of files) hash.update(await readFile(join(site, file)))
  const kept = ['/offline', ...files]
  const cache = hash.digest('base64url').slice(0, 8)
  await writeFile(
    path,
    code.replace(placeholder, () => JSON.stringify({ version, cache, kept })),
  )
}
