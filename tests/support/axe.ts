import axe from 'axe-core'
import type { Page } from 'playwright/test'

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** axe's violations of WCAG 2.2 AA on the current page. One line each: rule, place and fix. */
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

/** Covers both widths and both themes; `npm run test:full` covers every combination. */
const views: readonly View[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  ...(process.env['STORIES'] === 'long'
    ? ([
        { width: 390, colorScheme: 'dark' },
        { width: 1280, colorScheme: 'light' },
      ] as const)
    : []),
]

/**
 * Violations in all views: both themes, phone and desktop width. Each line starts with its view. Restores the
 * viewport's size.
 */
export async function violationsEverywhere(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize()
  const found: string[] = []
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The fixed bar at the bottom of small screens covers content while scrolling, so the whole page must fit the
    // viewport.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.min(Math.max(800, height), 8000) })
    const lines = await violations(page)
    found.push(...lines.map(line => `${new URL(page.url()).pathname} ${width} ${colorScheme} ${line}`))
  }
  if (before !== null) await page.setViewportSize(before)
  return found
}
