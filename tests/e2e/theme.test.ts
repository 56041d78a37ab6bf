// @covers src/layouts/frame-script.ts
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'

const paper = { light: 'rgb(244, 239, 227)', dark: 'rgb(13, 21, 38)' }

function background(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
}

/** What browsers colour their own edges with. */
function themeColours(page: Page): Promise<readonly string[]> {
  return page.$$eval('meta[name=theme-color]', metas => metas.map(meta => (meta as HTMLMetaElement).content))
}

for (const width of [390, 1280]) {
  test(`a chosen theme is remembered, and can be given back to the system, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    const openMenu = async () => {
      if (width === 390) await page.getByLabel('Menu').click()
    }
    const bar = page.getByRole('banner')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/')
    expect(await background(page)).toBe(paper.light)
    await openMenu()
    await bar.getByRole('button', { name: 'Switch to dark theme' }).press('Enter')
    expect(await background(page)).toBe(paper.dark)
    expect(await themeColours(page)).toEqual(['#0d1526', '#0d1526'])
    await expect(bar.getByRole('button', { name: 'Switch to light theme' })).toBeFocused()
    await page.goto('/faq')
    expect(await background(page)).toBe(paper.dark)
    await openMenu()
    await bar.getByRole('button', { name: 'Switch to light theme' }).click()
    expect(await background(page)).toBe(paper.light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => background(page)).toBe(paper.dark)
    await expect(bar.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
  })
}

test('theme and session are right before the page is there to be painted', { tag: '@core' }, async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await page.evaluate(() => {
    localStorage.setItem('theme', 'dark')
    localStorage.setItem('token', 'a.b.c')
  })
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      const { theme, session } = document.documentElement.dataset
      Object.assign(window, { atFirst: [theme, session] })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/terms')
  expect(await page.evaluate(() => Reflect.get(window, 'atFirst'))).toEqual(['dark', 'in'])
})

test('other tabs follow', async ({ page, context }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  const other = await context.newPage()
  await other.emulateMedia({ colorScheme: 'light' })
  await other.goto('/faq')
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect.poll(() => background(other)).toBe(paper.dark)
  await expect(other.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
})

test('the theme can be switched where storage is blocked', async ({ page, faults }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('storage is blocked', 'SecurityError')
      },
    })
  })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/faq')
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  expect(await background(page)).toBe(paper.dark)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(faults).toEqual([])
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test("a page has the system's theme, a visitor's links, and no switch", async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/faq')
    const bar = page.getByRole('banner')
    await expect(bar.getByRole('link', { name: 'Register' })).toBeVisible()
    await expect(bar.getByRole('button')).toHaveCount(0)
    const shot = await page.screenshot({ clip: { x: 2, y: 100, width: 1, height: 1 } })
    expect(await pixelOf(shot)).toBe(paper.dark)
  })
})

async function pixelOf(png: Buffer): Promise<string> {
  const { default: sharp } = await import('sharp')
  const [red, green, blue] = await sharp(png).raw().toBuffer()
  return `rgb(${red}, ${green}, ${blue})`
}

test.describe('the mobile menu', () => {
  test.use({ viewport: { width: 390, height: 800 } })

  test('closes with the route, on Escape, and when the focus or a press goes elsewhere', async ({ page }) => {
    await page.goto('/faq')
    const link = page.getByRole('banner').getByRole('link', { name: 'Destinations' })
    const open = async () => {
      await page.getByLabel('Menu').click()
      await expect(link).toBeVisible()
    }
    await open()
    await page.keyboard.press('Escape')
    await expect(link).toBeHidden()
    await expect(page.getByLabel('Menu')).toBeFocused()

    await open()
    await page.getByRole('banner').getByText('Language English').focus()
    await page.keyboard.press('Tab')
    await expect(link).toBeHidden()

    await open()
    await page.mouse.click(195, 780)
    await expect(link).toBeHidden()

    await open()
    await link.click()
    await expect(page).toHaveURL('/destinations')
    await expect(link).toBeHidden()
    await page.goBack()
    await expect(page).toHaveURL('/faq')
    await expect(link).toBeHidden()
  })

  test('stays open if it was opened before the page had loaded', async ({ page }) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    await page.route('**/favicon.ico?slow', async route => {
      await arrived
      await route.fulfill({ status: 204 })
    })
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        const picture = new Image()
        picture.src = '/favicon.ico?slow'
        document.body.append(picture)
      })
    })
    const loaded = page.waitForEvent('load')
    await page.goto('/faq', { waitUntil: 'domcontentloaded' })
    await page.getByLabel('Menu').click()
    const link = page.getByRole('banner').getByRole('link', { name: 'Destinations' })
    await expect(link).toBeVisible()
    expect(await page.evaluate(() => document.readyState)).toBe('interactive')
    arrive()
    await loaded
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await expect(link).toBeVisible()
  })
})

test('a flag that does not load gives way to its emoji', async ({ page }) => {
  await page.route('**/flags/in.svg', route => route.fulfill({ status: 404 }))
  await page.goto('/calling/in')
  const shown = page.locator('.flag[data-emoji="🇮🇳"]').first()
  await expect.poll(() => shown.evaluate(flag => getComputedStyle(flag, '::before').content)).toContain('🇮🇳')
})
