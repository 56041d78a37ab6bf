// @covers src/islands/account/registration src/islands/account/password-reset src/islands/account/sign-in src/shared/sign-up server/accounts/registration server/accounts/password server/accounts/sign-in
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { blankPage, newAddress, password, readResetLink, signUp } from '#support/people.ts'

/** Presses the button of the form, not the link of the same name in the bar. */
const submit = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()

test('a user who forgot their password chooses another by e-mail, and is in', { tag: '@core' }, async ({
  page,
}) => {
  const email = await signUp(page, { at: '/support' })
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/')
  await page.goto('/login?next=%2Freferrals')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('E-mail').fill(email)
  await submit(page, 'Send the link')
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeFocused()
  await expect(page.getByRole('main')).toContainText(
    `If ${email} has an account, a link is on its way. It works for 30 minutes.`,
  )
  await expect(page.getByRole('button', { name: /^Send it again/ })).toContainText(/in \d+ s/)
  await page.getByRole('button', { name: 'Use another address' }).press('Enter')
  await expect(page.getByLabel('E-mail')).toBeFocused()

  const link = await readResetLink(page, email)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`For ${email}.`)
  await expect(page).toHaveURL(/\/reset-password$/)
  const field = page.getByLabel('New password', { exact: true })
  await field.fill('12345678')
  await field.press('Enter')
  await expect(field).toBeFocused()
  await expect(
    page.getByText(
      "That password is easy to guess. Choose another, such as four words that don't belong together.",
    ),
  ).toBeVisible()
  await field.fill('an even longer horse')
  await expect(page.getByText('That password is easy to guess.')).toBeHidden()
  await page.getByRole('button', { name: 'Show new password' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  await submit(page, 'Save and log in')
  await expect(page.getByText("Your password is changed, and you're logged in.")).toBeVisible()
  await expect(page.getByText('Free Call Available')).toBeVisible()

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link is too old' })).toBeVisible()
  await page.getByLabel('E-mail').fill(newAddress('stranger'))
  await submit(page, 'Send the link')
  await expect(page.getByRole('main')).toContainText('a link is on its way')
})

test('registering by keyboard: nobody is scolded early, what is mended is forgiven, nothing typed is lost', async ({
  page,
}) => {
  const email = newAddress('typist')
  const emailFault = page.getByText("That isn't an e-mail address yet. It needs an @, like you@example.com.")
  const emailField = page.getByLabel('E-mail')
  const passwordField = page.getByLabel('Password', { exact: true })
  await page.goto('/register')
  // What is left before the form is alive is checked when it is sent.
  await page.waitForFunction(() => document.querySelector('main astro-island[ssr]') === null)
  await emailField.focus()
  await page.keyboard.type('typist')
  await expect(emailFault).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(emailFault).toBeVisible()
  await expect(emailField).toHaveAccessibleDescription(/It needs an @/)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('End')
  await page.keyboard.type('@example.com')
  await expect(emailFault).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(passwordField).toBeFocused()
  await expect(passwordField).toHaveAccessibleDescription('Use at least 8 characters.')
  await page.keyboard.type(password)
  await expect(page.getByText('Use at least 8 characters.')).toBeHidden()

  await page.route('**/api/auth/register', route => route.abort())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: "We can't reach the server." })).toBeVisible()
  await expect(emailField).toHaveValue('typist@example.com')
  await expect(passwordField).toHaveValue(password)

  await page.unroute('**/api/auth/register')
  const busy = { error: { code: 'too_many_requests', message: 'Too many at once.' } }
  await page.route('**/api/auth/register', route =>
    route.fulfill({ status: 429, headers: { 'retry-after': '30' }, json: busy }),
  )
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Too many at once.' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('status').filter({ hasText: /^You can try again in \d+ seconds?\.$/ }),
  ).toHaveCount(1)
  await page.unroute('**/api/auth/register')
  const sent: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/auth/register')) sent.push(request.url())
  })
  await emailField.fill(email)
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).dblclick()
  await expect(page).toHaveURL(/\/check-email$/)
  expect(sent).toHaveLength(1)

  const again = page.getByRole('button', { name: 'Send it again' })
  await again.press('Enter')
  await expect(
    page.getByRole('status').filter({ hasText: /^You can send it again in \d+ s\.$/ }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Use another address' }).press('Enter')
  await expect(page).toHaveURL(/\/register$/)
  await expect(emailField).toBeVisible()
})

test('an address that is too long for its line breaks before its @ or a dot, and never runs out of a narrow page', async ({
  page,
}) => {
  /** The lines that an element's text is drawn on. */
  const linesOf = (name: string) =>
    page.getByRole('main').evaluate((main, address) => {
      const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
      const lines: { top: number; text: string }[] = []
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          const { top, width } = range.getBoundingClientRect()
          if (width === 0) continue
          const last = lines.at(-1)
          if (last !== undefined && Math.abs(last.top - top) < 8) last.text += range.toString()
          else lines.push({ top, text: range.toString() })
        }
      }
      const all = lines.map(({ text }) => text.trim())
      const joined = all.join('')
      if (!joined.includes(address)) throw new Error(`no ${address} in ${joined}`)
      return all
    }, name)
  const open = async (email: string) => {
    await page.goto('/register')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await submit(page, 'Register')
    await expect(page).toHaveURL(/\/check-email$/)
    await expect(page.getByRole('button', { name: 'Use another address' })).toBeVisible()
  }
  await page.setViewportSize({ width: 320, height: 800 })
  const long = 'anna.theresia.wintersteller@example.com'
  await open(long)
  expect(await linesOf(long)).toEqual(
    expect.arrayContaining(['anna.theresia', '.wintersteller', '@example.com.']),
  )
  await page.setViewportSize({ width: 640, height: 800 })
  expect((await linesOf(long)).some(line => line.includes(`${long}.`))).toBe(true)

  await page.setViewportSize({ width: 320, height: 800 })
  await page.getByRole('button', { name: 'Use another address' }).click()
  await expect(page).toHaveURL(/\/register$/)
  const longest = `${'w'.repeat(64)}@${'w'.repeat(60)}.example.com`
  await open(longest)
  await linesOf(longest)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

test('private pages send visitors to log in and back; pages for visitors send everybody else on', async ({
  page,
}) => {
  const email = await signUp(page, { at: '/support' })
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/')
  for (const path of [
    '/call-history',
    '/billing-history',
    '/receipt?id=1',
    '/referrals',
    '/profile',
    '/heard-about',
  ]) {
    await page.goto(path)
    await page.waitForURL(`**/login?next=${encodeURIComponent(path)}`)
  }
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await submit(page, 'Login')
  await page.waitForURL('**/heard-about*')
  await page.getByText('Somewhere else').click()
  await page.getByLabel('Where? (optional)').fill('A poster at the bus stop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/call')
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await page.waitForURL('**/call')
  }
  await page.goto('/login?next=%2Freferrals')
  await page.waitForURL('**/referrals')

  // Who is signed in and has forgotten the password chooses another by mail all the same.
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Forgot it?' }).click()
  await page.waitForURL('**/forgot-password')
  await expect(page.getByLabel('E-mail')).toHaveValue(email)
  await expect(page.getByRole('link', { name: 'Back to your profile' })).toBeVisible()
  await submit(page, 'Send the link')
  await expect(page.getByRole('main')).toContainText(`If ${email} has an account, a link is on its way.`)
})

test('a clock that is off by a day, and storage that is blocked, sign nobody out and ask for nothing twice', async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await signUp(page)
  const pagesOfRefreshes: string[] = []
  page.on('request', request => {
    const isRefresh = request.url().endsWith('/api/auth/refresh-token')
    if (isRefresh) pagesOfRefreshes.push(new URL(request.frame().url()).pathname)
  })
  const dayMs = 24 * 3600 * 1000
  for (const [offsetMs, maxRefreshes] of [
    [dayMs, 1],
    [-dayMs, 0],
  ] as const) {
    await page.clock.setSystemTime(Date.now() + offsetMs)
    for (const path of ['/referrals', '/profile']) {
      pagesOfRefreshes.length = 0
      await page.goto(path)
      await expect(
        page
          .getByRole('main')
          .getByText(path === '/profile' ? email : 'You get $5')
          .first(),
      ).toBeVisible()
      await page.waitForTimeout(500)
      // The page before may still see the other clock.
      const refreshes = pagesOfRefreshes.filter(pathname => pathname === path)
      expect(refreshes.length, `${path} at ${offsetMs}`).toBeLessThanOrEqual(maxRefreshes)
    }
  }

  const blocked = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }) })
  await blocked.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('blocked', 'SecurityError')
        },
      })
    }
  })
  const other = await blocked.newPage()
  await other.goto('/login')
  await other.getByLabel('E-mail').fill(email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await submit(other, 'Login')
  await expect(other.getByText('Free Call Available')).toBeVisible()
  await other.goto('/referrals')
  await expect(other.getByText('You get $5')).toBeVisible()
  await blocked.close()
})

/** Both tabs find an expired token and load at once, so often. */
async function reloadTogether(page: Page, rounds: number): Promise<void> {
  const other = await page.context().newPage()
  const tabs = [page, other]
  let refreshes = 0
  page.context().on('request', request => {
    if (request.url().endsWith('/api/auth/refresh-token')) refreshes += 1
  })
  await Promise.all(tabs.map(tab => tab.goto('/referrals')))
  for (let round = 0; round < rounds; round += 1) {
    await page.evaluate(() => localStorage.setItem('token', `e30.${btoa('{"exp":1}')}.x`))
    await Promise.all(tabs.map(tab => tab.reload({ waitUntil: 'commit' })))
    await Promise.all(tabs.map(tab => expect(tab.getByText('You get $5'), `round ${round}`).toBeVisible()))
  }
  // Now and then a tab does not see yet what the other has stored, and the server gives it the same successor.
  expect(refreshes).toBeGreaterThanOrEqual(rounds)
  expect(refreshes).toBeLessThan(2 * rounds)
}

test('two tabs that refresh at once both stay signed in', async ({ page }) => {
  test.setTimeout(180_000)
  await signUp(page, { at: blankPage })
  await reloadTogether(page, 10)
})

test('two tabs that refresh at once, 100 times, both stay signed in', { tag: '@full' }, async ({ page }) => {
  test.setTimeout(300_000)
  await signUp(page, { at: blankPage })
  await reloadTogether(page, 100)
})
