// @covers src/islands/dialler/later-parts.ts src/islands/dialler/lazy-parts.ts scripts/build
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { signUp } from '#support/people.ts'

const diallerScriptBytes = 100 * 1024
const keypad = (page: Page) => page.getByRole('group', { name: 'Keypad' })
const numberField = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })

interface Measured {
  /** Script files that had arrived when the keypad came: address and bytes as they were sent. */
  scripts?: readonly { readonly path: string; readonly bytes: number }[]
  /** What moved without being asked to, however little. */
  readonly shifts: string[]
}

/** Runs in the browser, before the page's own scripts. */
function measure(): void {
  const measured: Measured = { shifts: [] }
  Object.assign(window, { measured })
  new MutationObserver((_, observer) => {
    // The one drawn at the build is for the eye alone.
    if (document.querySelector('[aria-label="Keypad"] button:not([inert] *)') === null) return
    observer.disconnect()
    const now = performance.now()
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    measured.scripts = entries
      .filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd > 0 && responseEnd <= now)
      .map(({ name, encodedBodySize }) => ({ path: new URL(name).pathname, bytes: encodedBodySize }))
  }).observe(document, { childList: true, subtree: true })
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as PerformanceEntry & {
        readonly value: number
        readonly sources: readonly { readonly node: Node | null }[]
      }
      const moved = sources.map(({ node }) => (node instanceof Element ? node.className : node?.nodeName))
      measured.shifts.push(`${value} ${moved.join(', ')}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

async function measured(page: Page): Promise<Measured> {
  return page.evaluate(() => (window as unknown as { measured: Measured }).measured)
}

test('a browser loads little before the keypad reacts; the rest comes before it is needed', async ({
  page,
}) => {
  await page.addInitScript(measure)
  await page.goto('/call')
  await keypad(page).getByRole('button', { name: '5 JKL' }).click()
  await expect(numberField(page)).toHaveValue('5')
  const scripts = (await measured(page)).scripts ?? []
  expect(scripts.length).toBeGreaterThan(4)
  expect(scripts.every(({ bytes }) => bytes > 0)).toBe(true)
  expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(diallerScriptBytes)
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /^Country: / }).click()
  await expect(page.getByRole('dialog', { name: 'Choose a country' })).toBeVisible()
})

test('a dialler whose first script does not load says so, and a reload brings it', async ({ page }) => {
  await page.route('**/_astro/shared.*.js', route => route.abort())
  await page.goto('/call')
  await expect(page.getByText("A part of this page didn't load. Check your connection.")).toBeVisible()
  await page.unroute('**/_astro/shared.*.js')
  await page.getByRole('button', { name: 'Reload' }).click()
  await keypad(page).getByRole('button', { name: '5 JKL' }).click()
  await expect(numberField(page)).toHaveValue('5')
})

test('a worker reads the data of the formats, in the language of the page, and ends', async ({ page }) => {
  await page.addInitScript(() => {
    const Native = window.Worker
    window.Worker = class extends Native {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        document.documentElement.dataset['worker'] = options?.name
      }
    }
  })
  const started = page.waitForEvent('worker', worker => worker.url().includes('format-data'))
  await page.goto('/es/call')
  await started
  await expect(page.locator('html')).toHaveAttribute('data-worker', 'es')
  await expect.poll(() => page.workers()).toEqual([])
})

for (const width of [390, 1280]) {
  test(`nothing moves while the dialler fills in, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.addInitScript(measure)
    await page.goto('/call')
    await expect(page.getByText('First call free')).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect((await measured(page)).shifts).toEqual([])

    await signUp(page)
    await numberField(page).fill('2125550111')
    await page.getByRole('button', { name: '+ Save this number' }).click()
    await page.getByLabel('Contact Name').fill('Mum')
    await page.getByRole('button', { name: 'Save contact' }).click()
    await expect(page.getByText('Contact saved!')).toBeVisible()
    // Slow enough for everything that shows a wait, each at a time of its own.
    for (const [path, ms] of [
      ['**/api/protected/me', 400],
      ['**/api/contacts', 900],
      ['**/api/caller-id', 700],
      ['**/api/rates/**', 900],
    ] as const) {
      await page.route(path, async route => {
        await new Promise(resolve => setTimeout(resolve, ms))
        await route.continue()
      })
    }
    await page.reload()
    await expect(page.getByText('Free Call Available')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Call Mum, / })).toBeVisible()
    await numberField(page).fill('2125550100')
    await expect(page.getByText('$0.020 per minute')).toBeVisible()
    await expect(page.getByRole('button', { name: '+ Save this number' })).toBeVisible()
    expect((await measured(page)).shifts).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}
