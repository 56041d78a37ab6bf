// @covers src/lib/calls server/calls/placing
import { chromium, type Page } from 'playwright/test'
import { quietBrowserFlags } from '#support/browser-flags.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, logIn, newAddress, password, signUp } from '#support/people.ts'

test('numbers that cannot be called, one that is busy, and one that hangs up: each says so, and what it cost', async ({
  page,
  farline,
}) => {
  await signUp(page)
  const call = page.getByRole('button', { name: 'Call', exact: true })
  await expect(call).toBeDisabled()
  const rejections = [
    ['12', 'This number is too short. Check it and try again.'],
    ['911', /does not support calling emergency services/],
    ['+999123456789', 'This destination is currently not supported.'],
    ['+881612345678', 'This destination is currently not supported.'],
    ['212555', 'Unrecognised number. Please check the number and try again.'],
  ] as const
  for (const [number, message] of rejections) {
    await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
    await expect(page.getByText('Call Disconnected')).toBeAttached()
  }
  expect(await farline.liveCalls()).toEqual([])
  await page.goto('/call-history')
  await expect(page.getByRole('heading', { name: 'No calls yet' })).toBeVisible()

  await page.goto('/call')
  await dial(page, '2125550101')
  await expect(page.getByText('The line is busy. Nothing was charged.')).toBeVisible()
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await page.goto('/call-history')
  await expect(page.getByRole('row').filter({ hasText: '212 555 0101' })).toContainText('$0.00')

  await page.goto('/call')
  await dial(page, '2125550104')
  await expect(page.getByText(/They hung up\. Talked 0:05, free call\./)).toBeVisible({
    timeout: 15_000,
  })
})

test('a second tab that calls learns why it cannot; logging out in a call asks first, and hangs up', async ({
  page,
  context,
  farline,
}) => {
  await signUp(page)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  const second = await context.newPage()
  await second.goto('/call')
  await dial(second, '2125550100')
  await expect(second.getByText('You already have a call in progress. Hang up there first.')).toBeVisible()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  expect(await farline.liveCalls()).toHaveLength(1)
  await second.close()

  const logout = page.getByRole('banner').getByRole('button', { name: 'Logout' })
  // The question comes a moment after the press: its code is loaded by it.
  const refused = page.waitForEvent('dialog').then(dialog => dialog.dismiss())
  await logout.click()
  await refused
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  const agreed = page.waitForEvent('dialog').then(dialog => dialog.accept())
  await logout.click()
  await agreed
  await expect(page).toHaveURL('/')
  await expect.poll(() => farline.liveCalls()).toEqual([])
})

test('a visitor who presses Call is sent to sign up', async ({ page }) => {
  await page.goto('/call')
  await dial(page, '2125550100')
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByText('Sign up to start calling')).toBeVisible()
})

test('tells a user that their e-mail is not confirmed', async ({ page }) => {
  const email = newAddress('unconfirmed')
  await page.request.post('/api/auth/register', { data: { email, password } })
  await logIn(page, email)
  await dial(page, '2125550100')
  await expect(page.getByText('Please verify your email before making calls.')).toBeVisible()
})

test('a wrong password, a bad registration and an old link: the page says what is wrong, and what to do', async ({
  page,
}) => {
  const email = newAddress('forgetful')
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText("That e-mail and password don't match.")).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue(email)

  await page.goto('/register')
  await page.getByLabel('E-mail').fill('ada at example')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).click()
  await expect(
    page.getByText("That isn't an e-mail address yet. It needs an @, like you@example.com."),
  ).toBeVisible()
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible()
  await expect(page).toHaveURL(/\/register$/)

  await page.goto('/verify-email#token=an-old-one')
  await expect(page.getByRole('main')).toContainText('A link works once, for 24 hours.')
  await expect(page.getByRole('button', { name: 'Send a new link' })).toBeVisible()
})

test('a form sent before its script has arrived is sent when it has', async ({ page }) => {
  const email = newAddress('hasty')
  await page.request.post('/api/auth/register', { data: { email, password } })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/_astro/*.js', async route => {
    await held
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
  release()
  await expect(page).toHaveURL(/\/call$/)
})

/** A browser whose microphone behaves differently from the usual synthetic one. */
async function withBrowser(
  flags: string[],
  baseURL: string,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [...quietBrowserFlags, ...flags],
  })
  try {
    await use(await browser.newPage({ baseURL }))
  } finally {
    await browser.close()
  }
}

test('a microphone that is denied: how to allow it, no call, nothing charged', async ({ farline }) => {
  const flags = ['--use-fake-device-for-media-stream', '--deny-permission-prompts']
  await withBrowser(flags, farline.url, async page => {
    await signUp(page)
    await dial(page, '2125550100')
    await expect(
      page.getByText('The microphone is blocked. Allow it for this site, then call again.'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'How' }).click()
    await expect(page.getByRole('dialog', { name: 'Allow the microphone' })).toContainText('address bar')
    await page.keyboard.press('Escape')
    await expect(page.getByText('Free Call Available')).toBeVisible()
    expect(await farline.liveCalls()).toEqual([])
  })
})

test('no microphone at all has its own message', async ({ farline }) => {
  await withBrowser(['--use-fake-ui-for-media-stream'], farline.url, async page => {
    await signUp(page)
    await dial(page, '2125550100')
    await expect(
      page.getByText('No microphone found. Connect or switch one on, then call again.'),
    ).toBeVisible()
    expect(await farline.liveCalls()).toEqual([])
  })
})
