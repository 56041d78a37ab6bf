import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { browserFlags } from '#support/browser-flags.ts'
import { startTestServer } from '#support/test-server.ts'
import { openAlbum } from './album.ts'
import { writeContactSheet } from './contact-sheet.ts'
import { features } from './features.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !features.has(name))
if (unknown.length > 0) {
  console.error(`No feature is called ${unknown.join(', ')}. There are: ${[...features.keys()].join(', ')}.`)
  process.exit(1)
}

const directory = join(import.meta.dirname, '..', '..', 'var', 'screens')
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] || '/usr/bin/chromium',
  args: [...browserFlags, '--headless=new'],
})
const failures: string[] = []
try {
  for (const [feature, walk] of features) {
    if (wanted.length > 0 && !wanted.includes(feature)) continue
    const own = join(directory, feature)
    rmSync(own, { recursive: true, force: true })
    const farline = await startTestServer()
    const album = await openAlbum(browser, farline, own)
    try {
      await walk(album)
    } catch (error) {
      // The states before it are worth a look all the same.
      failures.push(`${feature}, after ${album.shots.at(-1)?.state ?? 'nothing'}: ${String(error)}`)
    }
    const path = await writeContactSheet(browser, directory, feature, album.shots)
    console.log(`${feature}: ${album.shots.length} states, ${path}`)
    await album.close()
    await farline.close()
  }
} finally {
  await browser.close()
}
for (const failure of failures) console.error(`FAILED: ${failure}`)
process.exit(failures.length === 0 ? 0 : 1)
