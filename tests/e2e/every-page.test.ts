// @covers src/pages src/components src/styles src/ui
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { largeTextFaults, resetText } from '#support/large-text.ts'
import { publicPages } from '#support/public-pages.ts'

const pages = [
  ...publicPages,
  '/calling/in',
  '/blog/what-a-call-abroad-really-costs',
  '/offline',
  '/receipt',
  '/call-receipt',
  // What a developer or a reviewer sees beside the product.
  '/dev/checkout',
  '/dev/google',
  '/dev/handset',
  '/dev/inbox',
  '/dev/letters',
  '/dev/review',
]
const followed = new Set<string>()

/** More width than the screen has, and not exactly one main heading. */
async function misfits(page: Page, path: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const tooMuch = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (tooMuch > 0) found.push(`${path} at ${width} px is ${tooMuch} px too wide`)
    const headings = await page.getByRole('heading', { level: 1 }).count()
    if (headings !== 1) found.push(`${path} at ${width} px has ${headings} main headings`)
  }
  return found
}

async function brokenLinks(page: Page, path: string): Promise<readonly string[]> {
  const links = await page.$$eval('a[href^="/"]', anchors => anchors.map(a => a.getAttribute('href') ?? ''))
  const found: string[] = []
  for (const link of links) {
    if (followed.has(link)) continue
    followed.add(link)
    const status = (await page.request.get(link)).status()
    if (status !== 200) found.push(`${path} links to ${link}, which answers ${status}`)
  }
  return found
}

/** Several pages a story, since beginning one costs as much as a page. All is asked of a page while it is open. */
const pagesAtOnce = 9
for (let first = 0; first < pages.length; first += pagesAtOnce) {
  const some = pages.slice(first, first + pagesAtOnce)
  test(`${some[0]} to ${some.at(-1)} keep nobody out, fit phones and desks, also with text of twice the size, and link to what is there`, async ({
    page,
  }) => {
    test.slow()
    const found: string[] = []
    for (const path of some) {
      await page.goto(path, { waitUntil: 'networkidle' })
      if (!(await page.title()).includes('Farline')) found.push(`${path} has no title of ours`)
      found.push(...(await misfits(page, path)))
      found.push(...(await brokenLinks(page, path)))
      found.push(...(await violationsEverywhere(page)))
      found.push(...(await largeTextFaults(page, path)))
      await resetText(page)
    }
    expect(found).toEqual([])
  })
}
