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
  /** 320 px is a desk's 1280 px at 400 %, and 640 px at 200 %. */
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  readonly forcedColors?: 'active'
}

const isLong = process.env['STORIES'] === 'long'

/** Covers both themes and the widths of phones and desks; `npm run test:full` covers every combination. */
const views: readonly View[] = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  ...(isLong
    ? ([
        { width: 320, colorScheme: 'dark' },
        { width: 390, colorScheme: 'light' },
        { width: 390, colorScheme: 'dark' },
        { width: 640, colorScheme: 'light' },
        { width: 640, colorScheme: 'dark' },
        { width: 1280, colorScheme: 'light' },
        { width: 1280, colorScheme: 'light', forcedColors: 'active' },
        { width: 320, colorScheme: 'dark', forcedColors: 'active' },
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
  for (const { width, colorScheme, forcedColors = null } of views) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' })
    // The fixed bar at the bottom of small screens covers content while scrolling, so the whole page must fit the
    // viewport.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.min(Math.max(800, height), 8000) })
    if (forcedColors !== null) await page.evaluate(fillTexts)
    const lines = await violations(page)
    if (forcedColors !== null) await page.evaluate(unfillTexts)
    const view = [new URL(page.url()).pathname, width, colorScheme, forcedColors && 'forced colours']
    found.push(...lines.map(line => `${view.filter(Boolean).join(' ')} ${line}`))
  }
  await page.emulateMedia({ forcedColors: null })
  if (before !== null) await page.setViewportSize(before)
  // Seconds for each page, and names and roles are the same in all views.
  if (isLong) found.push(...(await (await import('./alfa.ts')).actFailures(page)))
  return found
}

/**
 * Runs in the browser. axe reads the colour of a text from `-webkit-text-fill-color`, where Chromium still has the page's own
 * colour when it paints the forced one.
 */
function fillTexts(): void {
  const all = [...document.querySelectorAll<HTMLElement>('body *')]
  const colors = all.map(each => getComputedStyle(each).color)
  for (const [index, each] of all.entries())
    each.style.setProperty('-webkit-text-fill-color', colors[index] ?? '', 'important')
}

/** Runs in the browser. */
function unfillTexts(): void {
  for (const each of document.querySelectorAll<HTMLElement>('body *'))
    each.style.removeProperty('-webkit-text-fill-color')
}
