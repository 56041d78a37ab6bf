import axe from 'axe-core'
import type { Page } from 'playwright/test'

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds against WCAG 2.2 AA on the page as it stands: rule, place and what to do, a line each. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async tags => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: tags,
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(node => `${id}: ${node.target.join(' ')}: ${node.failureSummary?.replace(/\s+/g, ' ')}`),
    )
  }, wcag22aa)
}

interface View {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

/** Both widths and both themes; `npm run test:full` looks at each width in each theme. */
const views: readonly View[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  ...(process.env['LONG_STORIES'] === '1'
    ? ([
        { width: 390, colorScheme: 'dark' },
        { width: 1280, colorScheme: 'light' },
      ] as const)
    : []),
]

/**
 * The same in both themes, at a phone's and a desk's width; each line starts with where it was found. The page is
 * as large afterwards as it was before.
 */
export async function violationsEverywhere(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize()
  const found: string[] = []
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The bar at the foot of a small screen covers what is being scrolled past: looked at is the page in one piece.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.min(Math.max(800, height), 5000) })
    const lines = await violations(page)
    found.push(...lines.map(line => `${new URL(page.url()).pathname} ${width} ${colorScheme} ${line}`))
  }
  if (before !== null) await page.setViewportSize(before)
  return found
}
