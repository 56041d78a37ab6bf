import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright'
import { browserFlags } from '#support/browser-flags.ts'
import { startTestServer } from '#support/test-server.ts'
import { openAlbum, type Walk } from './album.ts'
import { writeContactSheet } from './contact-sheet.ts'
import { features } from './features.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !features.has(name))
if (unknown.length > 0) {
  console.error(`No feature is called ${unknown.join(', ')}. There are: ${[...features.keys()].join(', ')}.`)
  process.exit(1)
}

const directory = join(import.meta.dirname, '..', '..', 'var', 'screens')
const failures: string[] = []

/** Each feature has its own server, so features run side by side. */
async function photograph(browser: Browser, feature: string, walk: Walk): Promise<void> {
  const begunMs = performance.now()
  const own = join(directory, feature)
  rmSync(own, { recursive: true, force: true })
  const farline = await startTestServer()
  const album = await openAlbum(browser, farline, own)
  try {
    await walk(album)
  } catch (error) {
    // The states before it are worth a look all the same, and so is the page that the walk is stuck on.
    failures.push(`${feature}, after ${album.shots.at(-1)?.state ?? 'nothing'}: ${String(error)}`)
    await album.page.screenshot({ path: join(own, 'stuck.png') })
  }
  const path = await writeContactSheet(browser, directory, feature, album.shots)
  const seconds = Math.round((performance.now() - begunMs) / 1000)
  console.log(`${feature}: ${album.shots.length} states in ${seconds} s, ${path}`)
  await album.close()
  await farline.close()
}

/** A browser for each worker: tabs of one browser would wait for each other's pictures. */
async function work(queue: Iterator<[string, Walk]>): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] || '/usr/bin/chromium',
    args: [...browserFlags, '--headless=new'],
  })
  try {
    for (let next = queue.next(); !next.done; next = queue.next()) await photograph(browser, ...next.value)
  } finally {
    await browser.close()
  }
}

const chosen = [...features].filter(([name]) => wanted.length === 0 || wanted.includes(name))
const queue = chosen.values()
const workers = Math.min(chosen.length, availableParallelism())
await Promise.all(Array.from({ length: workers }, () => work(queue)))
for (const failure of failures) console.error(`FAILED: ${failure}`)
process.exit(failures.length === 0 ? 0 : 1)
