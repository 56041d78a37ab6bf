import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Browser } from 'playwright'
import type { Shot } from './album.ts'
import { views } from './views.ts'

/** In pixels of the sheet: a phone's text and a desk's layout can both be read. */
const thumbnailWidth = (viewWidth: number) => (viewWidth < 800 ? 260 : 480)
const sheetWidth = views.reduce((sum, { width }) => sum + thumbnailWidth(width) + 16, 200)

/** Writes `<feature>.html` with all shots, a row per state and a column per view, and a picture of it beside it. */
export async function writeContactSheet(
  browser: Browser,
  directory: string,
  feature: string,
  shots: readonly Shot[],
): Promise<string> {
  const html = sheet(feature, shots, path => relative(directory, path))
  writeFileSync(join(directory, `${feature}.html`), html)
  const page = await browser.newPage({
    viewport: { width: sheetWidth, height: 800 },
  })
  const inlined = sheet(
    feature,
    shots,
    path => `data:image/png;base64,${readFileSync(path).toString('base64')}`,
  )
  await page.setContent(inlined, { waitUntil: 'load' })
  const path = join(directory, `${feature}.png`)
  await page.screenshot({ path, fullPage: true })
  await page.close()
  return path
}

function sheet(feature: string, shots: readonly Shot[], source: (path: string) => string): string {
  const rows = shots.map(({ state, files }) => {
    const cells = files.map(
      ({ view, path }) =>
        `<td><img src="${source(path)}" width="${thumbnailWidth(view.width)}" alt="${state}, ${view.name}" title="${basename(path)}"></td>`,
    )
    return `<tr><th scope="row">${state}</th>${cells.join('')}</tr>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${feature}</title>
<style>
body{font:14px system-ui,sans-serif;margin:16px;background:#ddd;color:#111}
th{text-align:left;vertical-align:top;padding:8px}td{vertical-align:top;padding:8px}
img{display:block;max-height:900px;object-fit:cover;object-position:top;background:#fff}
</style>
<h1>${feature}</h1>
<table><tr><td></td>${views.map(({ name }) => `<th scope="col">${name}</th>`).join('')}</tr>${rows.join('')}</table></html>
`
}
