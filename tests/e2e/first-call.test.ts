// @covers src/components/EarlySubmit.astro
import type { Locator, Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { listen } from '#support/page-audio.ts'
import { logIn, newAddress, password, readConfirmationToken } from '#support/people.ts'

/** How long a person needs for an action, including reading and searching. */
const paceMs = 6_000
const twoMinutesMs = 120_000
/** Of the exchange: answers, and plays a tone of 1004 Hz. */
const number = '+1 (212) 555-0100'

/** Counts what a person does: a press, or filling in one field. */
function countTaps() {
  let taps = 0
  return {
    count: () => taps,
    press: (what: Locator) => {
      taps += 1
      return what.click()
    },
    type: (field: Locator, text: string) => {
      taps += 1
      return field.fill(text)
    },
  }
}

/** Counts the pages that a person sees on their way, by their paths. */
function countScreens(page: Page): () => number {
  const screens: string[] = []
  page.on('framenavigated', frame => {
    const { pathname } = new URL(frame.url())
    if (frame === page.mainFrame() && pathname !== screens.at(-1)) screens.push(pathname)
  })
  // The page of the link only passes on.
  return () => screens.filter(path => path !== '/verify-email').length
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Number to call' })
const callNumber = (page: Page) => page.getByRole('link', { name: 'Call +1 212 555 0100' })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Your first call is free' })
const dialled = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
const greenCall = (page: Page) => page.getByRole('button', { name: 'Call', exact: true })

test('a visitor types a number, signs up by e-mail and rings it within nine taps, and sees what it cost', {
  tag: '@core',
}, async ({ page, farline }) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 390, height: 844 })
  const email = newAddress('newcomer')
  const main = page.getByRole('main')
  const begunMs = performance.now()
  const { count, press, type } = countTaps()
  const screens = countScreens(page)

  await page.goto('/')
  await type(field(page), number)
  const slip = page.getByRole('region', { name: 'Rate calculator' })
  await expect(slip).toContainText('+1 212 555 0100 · ')
  await expect(slip).toContainText(/\d\d:\d\d there/)
  const isCut = (line: Element) => line.scrollWidth > line.clientWidth
  expect(await slip.getByText(/\d\d:\d\d there/).evaluate(isCut)).toBe(false)
  await press(callNumber(page))
  await expect(sheet(page)).toContainText('your call to +1 212 555 0100 is next')
  await type(sheet(page).getByLabel('E-mail'), email)
  await type(sheet(page).getByLabel('Password', { exact: true }), password)
  await press(sheet(page).getByRole('button', { name: 'Register', exact: true }))
  await expect(main).toContainText(`We sent a link to ${email}`)
  await press(page.getByRole('link', { name: 'Open the local inbox' }))
  await press(page.getByRole('link').filter({ hasText: email }))
  await press(page.frameLocator('iframe').getByRole('link', { name: 'Confirm e-mail' }))

  await expect(page.getByText('Free Call Available')).toBeVisible()
  await expect(dialled(page)).toHaveValue('+12125550100')
  await expect(page.getByText('$0.020')).toBeVisible()
  await press(greenCall(page))
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  expect(count()).toBeLessThanOrEqual(9)
  expect(screens()).toBeLessThanOrEqual(6)
  expect(count() * paceMs + performance.now() - begunMs).toBeLessThan(twoMinutesMs)
  await expect(page.getByRole('timer')).toHaveText(/(?!00:00)\d\d:\d\d/)

  await expect(async () => {
    const heard = await listen(page)
    expect(Math.abs(heard.hz - 1004)).toBeLessThan(8)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass()

  const [callId = ''] = await farline.liveCalls()
  const receivedLevel = async () => (await farline.observe(callId))?.received.level?.dbm0 ?? Number.NaN
  await expect.poll(receivedLevel).toBeGreaterThan(-50)
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Muted', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect.poll(receivedLevel).toBeLessThan(-60)
  await page.getByRole('button', { name: 'Muted', exact: true }).click()
  await expect.poll(receivedLevel).toBeGreaterThan(-50)

  // A shorter free call would stay free.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect(page.getByText('Balance: $0.00')).toBeVisible()
  const question = page.getByRole('link', { name: 'how did you hear about us?' })
  await expect(question).toBeVisible()
  await page.reload()
  await expect(question).toBeVisible()
  await page.getByRole('button', { name: 'No, thanks' }).click()
  await expect(question).toBeHidden()
  await page.reload()
  await expect(page.getByText('Balance: $0.00')).toBeVisible()
  await expect(question).toBeHidden()

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/call-history')
  const row = page.getByRole('row').filter({ hasText: '212 555 0100' })
  await expect(row).toContainText('Free')
  await expect(row).toContainText('Your free call')
  await page.goto('/call')
  await expect(page.getByText('Balance: $0.00')).toBeVisible()
  await expect(dialled(page)).toHaveValue('')
})

test('by Google it takes six taps', async ({ page }) => {
  const { count, press, type } = countTaps()
  const screens = countScreens(page)
  await page.goto('/')
  await type(field(page), number)
  await press(callNumber(page))
  await press(sheet(page).getByRole('link', { name: 'Continue with Google' }))
  await press(page.getByText('chidi@example.com'))
  await press(page.getByRole('button', { name: 'Continue', exact: true }))
  await expect(dialled(page)).toHaveValue('+12125550100')
  await press(greenCall(page))
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  expect(count()).toBeLessThanOrEqual(6)
  expect(screens()).toBeLessThanOrEqual(6)
})

test('number, country and extension survive Call at the dialler, another form, a link in another tab, a reload and a checkout', async ({
  page,
  context,
}) => {
  const email = newAddress('wanderer')
  await page.goto('/call')
  await dialled(page).fill('2125550100')
  await dialled(page).press(',')
  await page.getByRole('textbox', { name: 'Extension' }).pressSequentially('12')
  await greenCall(page).click()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByText('Sign up to start calling')).toBeVisible()
  const next = page.getByText('your call to +1 212 555 0100 is next')
  await expect(next).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await expect(next).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page).toHaveURL(/\/check-email$/)
  expect(page.url()).not.toContain('212')

  await page.goto('/call')
  await expect(page.getByText('Please verify your email before making calls.')).toBeVisible()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText(/^A link is on its way\./)).toBeVisible()

  const mailed = await context.newPage()
  await mailed.goto(`/verify-email#token=${await readConfirmationToken(page, email)}`)
  await expect(mailed).toHaveURL(/\/call$/)
  await expect(dialled(mailed)).toHaveValue('2125550100')
  await expect(mailed.getByRole('textbox', { name: 'Extension' })).toHaveValue(',12')
  await mailed.close()
  await page.bringToFront()
  await page.reload()
  await expect(dialled(page)).toHaveValue('2125550100')
  await page.goto('/call?payment=success&order=0192f6a4-7c1e-4b7e-9a53-3f1d2c4b5a69')
  await expect(dialled(page)).toHaveValue('2125550100')
  await expect(page.getByRole('button', { name: 'Country: United States +1' })).toBeVisible()

  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/')
  await page.goto('/call')
  await expect(page.getByText('First call free')).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(dialled(page)).toHaveValue('')
})

test('nobody is told that an address is verified unless it is', async ({ page }) => {
  await page.goto('/email-verified')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Open the link in our e-mail')
  await expect(main).not.toContainText('is verified and')
  const email = newAddress('unsure')
  await page.request.post('/api/auth/register', { data: { email, password } })
  const token = await readConfirmationToken(page, email)
  await logIn(page, email, {})
  await page.goto('/email-verified')
  await expect(main.getByRole('link', { name: 'Check your e-mail' })).toBeVisible()
  await page.request.post('/api/auth/verify-email', { data: { token } })
  await page.reload()
  await expect(main).toContainText('Your e-mail is verified and your free call is ready.')
  await main.getByRole('link', { name: 'Make your free call' }).click()
  await expect(page).toHaveURL(/\/call$/)
})

test('a number that is incomplete or of nowhere is told kindly, and the sheet loses nothing', async ({
  page,
}) => {
  await page.goto('/')
  await field(page).fill('098765 43210')
  await field(page).press('Enter')
  await expect(page.getByText(/Choose its country below, or begin with \+/)).toBeVisible()
  await page.getByLabel('Calling to').selectOption('IN')
  await expect(page.getByText('+91 98765 43210 · Mobile')).toBeVisible()
  await page.getByRole('link', { name: 'Call +91 98765 43210' }).click()
  await sheet(page).getByLabel('E-mail').fill('nobody')
  await sheet(page).getByLabel('Password', { exact: true }).fill(password)
  await sheet(page).getByRole('button', { name: 'Register', exact: true }).click()
  await expect(sheet(page)).toContainText('It needs an @, like you@example.com.')
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  await expect(field(page)).toHaveValue('098765 43210')
})

test('Call pressed before the numbering plans are there waits for them, and loses nothing', async ({
  page,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/_astro/number-reading.*.js', async route => {
    await released
    await route.continue()
  })
  await page.goto('/')
  await page.waitForFunction(() => document.querySelector('#calculator')?.closest('astro-island:not([ssr])'))
  await field(page).fill(number)
  await page.getByRole('link', { name: 'Call the United States' }).click()
  await expect(page.getByText('Checking the number…')).toBeVisible()
  release()
  await expect(sheet(page)).toContainText('your call to +1 212 555 0100 is next')
})

test('the landing stays and keeps the number when the referral script or the sheet does not load', async ({
  page,
}) => {
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.route('**/referral.js', route => route.abort())
  await page.goto('/')
  await field(page).fill(number)
  const failed = page.waitForEvent('requestfailed', request => request.url().endsWith('/referral.js'))
  await callNumber(page).click()
  await failed
  await expect(sheet(page)).toBeVisible()
  expect(loads).toBe(1)

  await page.route('**/_astro/linked-sheet.*.js', route => route.abort())
  await page.reload()
  const missing = page.waitForEvent('requestfailed', request => request.url().includes('linked-sheet'))
  await field(page).fill(number)
  await missing
  await expect(callNumber(page)).toBeVisible()
  expect(loads).toBe(2)
  await callNumber(page).click()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByRole('main')).toContainText('+1 212 555 0100')
})
