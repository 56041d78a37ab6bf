// @covers src/components/landing
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { signUp } from '#support/people.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }

async function scrollTo(page: Page, y: number) {
  await page.evaluate(top => window.scrollTo({ top, behavior: 'instant' }), y)
}

function bar(page: Page) {
  return page.getByRole('region', { name: 'Sign up' })
}

/** What the keyboard is at: in the bar, and whether the bar lies over any of it. */
function focusAndBar(page: Page) {
  return page.evaluate(() => {
    const signUpBar = document.querySelector('[aria-label="Sign up"]')
    const focused = document.activeElement
    if (!signUpBar || !focused || focused === document.body) return { inBar: false, covered: false }
    if (signUpBar.contains(focused)) return { inBar: true, covered: false }
    const hidden = getComputedStyle(signUpBar).visibility === 'hidden'
    const top = signUpBar.getBoundingClientRect().top
    const away = hidden || top >= innerHeight
    return { inBar: false, covered: !away && focused.getBoundingClientRect().bottom > top }
  })
}

for (const [name, viewport] of [
  ['a phone', phone],
  ['a desktop', desktop],
] as const) {
  test(`a visitor on ${name} reads what it costs, what it takes and what is promised, and signs up`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Call home for less than a stamp.')
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await expect(headings).toHaveText([
      'Rate calculator',
      'Popular destinations',
      'A proper phone call, without the phone bill',
      'How It Works',
      'Top up like a book of stamps',
      'Up to 50x cheaper than the usual way',
      'Before you dial',
      'Someone is waiting to hear from you.',
    ])

    await expect(page.getByText('First call free', { exact: false }).first()).toContainText(
      'Up to 5 minutes and $0.50',
    )
    await expect(page.getByText('A stamp for an international letter')).toBeVisible()
    await expect(page.getByText('2¢ a minute to the United States, compared with the $1.00')).toBeVisible()
    const table = page.getByRole('table')
    await expect(table.getByRole('columnheader')).toHaveText([
      'Farline',
      'Phone operator',
      'Subscription app',
    ])
    await expect(table.getByRole('row', { name: 'Monthly fee' })).toContainText('None')

    await page.getByRole('link', { name: 'Make your free call' }).click()
    await expect(page).toHaveURL(/\/register$/)
  })
}

test('the stamps of ten countries lead to their pages', { tag: '@core' }, async ({ page }) => {
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Popular destinations' })
  for (const iso of ['us', 'gb', 'in', 'fr', 'de', 'br', 'es', 'it', 'au', 'mx']) {
    await expect(section.locator(`a[href="/calling/${iso}"]`)).toContainText('a minute')
  }
  await section.getByRole('link', { name: 'India' }).click()
  await expect(page).toHaveURL(/\/calling\/in$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('India')
})

test('each booklet of credits says how many minutes it holds and leads to its purchase', async ({ page }) => {
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Top up like a book of stamps' })
  await expect(section).toContainText('estimates at 2¢ a minute')
  const booklets = [
    ['Buy $5 of credits', 'about 250 minutes', '5'],
    ['Buy $25 of credits', 'about 1,250 minutes', '25'],
    ['Buy $50 of credits', 'about 2,500 minutes', '50'],
  ] as const
  for (const [name, minutes, amount] of booklets) {
    const booklet = section.getByRole('link', { name })
    await expect(booklet).toContainText(minutes)
    await expect(booklet).toHaveAttribute('href', `/buy-credits?amount=${amount}`)
  }
  await expect(section.getByText(/minutes free!/)).toHaveText('+100 minutes free!')
  await section.getByRole('link', { name: 'Buy $50 of credits' }).click()
  await expect(page).toHaveURL(/\/buy-credits\?amount=50$/)
})

test('the narrowest screen need not be scrolled sideways, not even before its lower half has its style', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.route(/landing-below|woff2/, route => route.abort())
  await page.goto('/')
  await expect(page.getByRole('table').getByText('Monthly fee')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

test('questions open by keyboard and by pointer, without leaving the page', async ({ page }) => {
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Before you dial' })
  await expect(section.getByText('By default, a public number.')).toBeVisible()
  const answer = section.getByText(/There.s no connection fee/)
  await expect(answer).toBeHidden()
  await section.getByText('How is a call charged?').click()
  await expect(answer).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(answer).toBeHidden()
  await section.getByRole('link', { name: 'All questions' }).click()
  await expect(page).toHaveURL(/\/faq$/)
})

test('the sign-up bar comes on phones beyond 300 pixels and leads to registration', async ({ page }) => {
  await page.setViewportSize(phone)
  await page.goto('/')
  await expect(bar(page)).toBeHidden()
  await scrollTo(page, 300)
  await expect(bar(page)).toBeHidden()
  await scrollTo(page, 301)
  await expect(bar(page)).toBeVisible()
  await expect(bar(page)).toBeInViewport({ ratio: 1 })
  await expect(bar(page)).toContainText('Sign up and get a FREE call')
  await expect(bar(page).getByRole('link', { name: 'Buy Credits' })).toHaveAttribute('href', '/buy-credits')
  await scrollTo(page, 0)
  await expect(bar(page)).toBeHidden()

  await scrollTo(page, 100_000)
  const top = (await bar(page).boundingBox())?.y ?? 0
  const lastLine = await page.getByRole('contentinfo').getByText('© 2025').boundingBox()
  expect((lastLine?.y ?? 0) + (lastLine?.height ?? 0)).toBeLessThan(top)
  for (const link of await page.getByRole('contentinfo').getByRole('link').all()) {
    const box = await link.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0), await link.innerText()).toBeLessThanOrEqual(top)
  }

  await bar(page).getByRole('link', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL(/\/register$/)
})

test('the sign-up bar stays away on wide windows', async ({ page }) => {
  await page.setViewportSize(desktop)
  await page.goto('/')
  await scrollTo(page, 900)
  await expect(bar(page)).toBeHidden()
})

test('the sign-up bar never lies over what the keyboard is at, and can be reached by it', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await page.goto('/')
  await expect(page.getByLabel('Minutes')).toBeVisible()
  let inBar = false
  for (let presses = 0; presses < 80 && !inBar; presses += 1) {
    await page.keyboard.press('Tab')
    const now = await focusAndBar(page)
    expect(now.covered, `after Tab ${presses + 1}`).toBe(false)
    inBar = now.inBar
  }
  expect(inBar).toBe(true)
  await expect(bar(page)).toBeInViewport({ ratio: 1 })
})

test('where CSS cannot follow the scrolling, the bar comes beyond 300 pixels all the same', async ({
  page,
}) => {
  await page.addInitScript(() => {
    CSS.supports = () => false
  })
  await page.setViewportSize(phone)
  await page.goto('/')
  await page.evaluate(() => {
    const signUpBar = document.querySelector<HTMLElement>('[aria-label="Sign up"]')
    if (signUpBar) signUpBar.style.animation = 'none'
  })
  await expect(bar(page)).toBeHidden()
  await scrollTo(page, 310)
  await expect(bar(page)).toBeInViewport({ ratio: 1 })
  await scrollTo(page, 0)
  await expect(bar(page)).toBeHidden()
})

test('signed-in people are led to the dialler and not asked to sign up', async ({ page }) => {
  await page.setViewportSize(phone)
  await signUp(page, { at: '/' })
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Start Calling' })).toHaveCount(2)
  for (const link of await main.getByRole('link', { name: 'Start Calling' }).all()) {
    await expect(link).toHaveAttribute('href', '/call')
  }
  await scrollTo(page, 900)
  await expect(bar(page)).toBeHidden()
  await expect(page.getByText('Sign up with an e-mail address.')).toBeHidden()
})

test('the film asks for nothing until it is played, then plays with captions and controls', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().includes('/video/')) asked.push(request.url())
  })
  await page.goto('/')
  const poster = page.getByRole('button', { name: 'Watch how it works' })
  await poster.scrollIntoViewIfNeeded()
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([])
  await poster.focus()
  await page.keyboard.press('Enter')
  const film = page.getByLabel('How Farline works')
  await expect(film).toBeFocused()
  await expect(poster).toBeHidden()
  await expect
    .poll(() => film.evaluate(video => video instanceof HTMLVideoElement && video.currentTime))
    .toBeGreaterThan(0)
  const captions = await film.evaluate(video =>
    video instanceof HTMLVideoElement
      ? { mode: video.textTracks[0]?.mode, controls: video.controls }
      : undefined,
  )
  expect(captions).toEqual({ mode: 'showing', controls: true })
})

test('a film that does not load says so and can be tried again', async ({ page }) => {
  await page.route('**/video/first-call.webm', route => route.abort())
  await page.goto('/')
  await page.getByRole('button', { name: 'Watch how it works' }).click()
  const poster = page.getByRole('button', { name: "The film didn't load. Try again" })
  await expect(poster).toBeFocused()
  await page.unroute('**/video/first-call.webm')
  await poster.click()
  await expect(page.getByLabel('How Farline works')).toBeFocused()
})

test.describe('without JavaScript', () => {
  test.use({ viewport: phone, javaScriptEnabled: false })
  test('the whole page is there to read', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Start Calling' }).first()).toHaveAttribute(
      'href',
      '/register',
    )
    await page.getByText('Can I call emergency services?').click()
    await expect(page.getByText('Farline does not support calls to emergency services.')).toBeVisible()
  })
})
