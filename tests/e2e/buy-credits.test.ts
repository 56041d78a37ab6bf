// @covers src/islands/buy-credits src/shared/checkout server/payments
import type { Page } from 'playwright/test'
import { referralPollMs } from '#shared/referral-code.ts'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { signUp } from '#support/people.ts'

const sessions = '**/api/payments/create-checkout-session'

const tile = (page: Page, name: RegExp) => page.getByRole('radio', { name })
const custom = (page: Page) => page.getByLabel('Custom amount')
const checkout = (page: Page) => page.getByRole('button', { name: 'Secure Checkout' })
const autoTopUp = (page: Page) => page.getByRole('switch', { name: 'Auto top-up' })
/** What stands beside a line of the summary. */
const line = (page: Page, term: string) =>
  page.getByRole('definition').filter({ has: page.locator(`xpath=../dt[starts-with(., "${term}")]`) })

async function open(page: Page, path = '/buy-credits'): Promise<void> {
  await page.goto(path)
  await awaitForm(page)
}

async function signUpAndOpen(page: Page, path = '/buy-credits'): Promise<void> {
  await signUp(page, { at: path })
  await awaitForm(page)
}

async function awaitForm(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('form')?.closest('astro-island:not([ssr])'))
  // React answers a little later than Astro says, and loses a key that is pressed in between.
  await page.waitForLoadState('networkidle')
}

/** Pays with a card at the local checkout. */
async function pay(page: Page, card = 'succeeds', delivery = 'at once'): Promise<void> {
  await page.getByRole('radio', { name: card, exact: true }).check({ force: true })
  await page.getByRole('radio', { name: delivery, exact: true }).check({ force: true })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

/** Holds back the page's requests until released. */
async function hold(page: Page, pattern: string): Promise<() => void> {
  let letGo = () => {}
  const gate = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route(pattern, async route => {
    await gate
    await route.continue()
  })
  return letGo
}

test('a visitor chooses an amount, signs up for it, and finds it chosen afterwards', async ({ page }) => {
  await open(page)
  await expect(tile(page, /^\$25/)).toBeChecked()
  await expect(page.getByText('+100 minutes free!')).toBeVisible()
  await page.getByText('$50', { exact: true }).click()
  await expect(tile(page, /^\$50/)).toBeChecked()
  await expect(line(page, 'Bonus')).toHaveText('+2 credits')
  await expect(line(page, 'Minutes, at 2¢ a minute')).toHaveText('2,600')
  await expect(line(page, 'You pay')).toHaveText('$50.00')
  await checkout(page).click()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByText('Sign up to buy credits')).toBeVisible()
  const stored = await page.evaluate(() => localStorage.getItem('afterRegistration'))
  expect(JSON.parse(stored ?? '{}')).toMatchObject({ path: '/buy-credits?amount=50' })
})

test('the amount of a link is a tile, or fills the custom field, or is ignored', async ({ page }) => {
  await open(page, '/buy-credits?amount=100')
  await expect(tile(page, /^\$100/)).toBeChecked()
  await open(page, '/buy-credits?amount=5')
  await expect(custom(page)).toHaveValue('5')
  await expect(tile(page, /^\$25/)).not.toBeChecked()
  await expect(line(page, 'You pay')).toHaveText('$5.00')
  await open(page, '/buy-credits?amount=nonsense')
  await expect(tile(page, /^\$25/)).toBeChecked()
  await expect(custom(page)).toHaveValue('')
})

test('an amount can be typed in the digits of other scripts', async ({ page }) => {
  await open(page)
  for (const digits of ['٧٥', '۷۵', '७५', '৭৫']) {
    await custom(page).fill('')
    await custom(page).pressSequentially(digits)
    await expect(custom(page)).toHaveValue('75')
  }
})

test('a preset clears the custom amount and the other way round; what cannot be bought is rejected', async ({
  page,
}) => {
  await open(page)
  await custom(page).pressSequentially('75')
  await expect(tile(page, /^\$25/)).not.toBeChecked()
  await expect(page.getByText('+150 minutes free!')).toBeVisible()
  await expect(line(page, 'You pay')).toHaveText('$75.00')
  await tile(page, /^\$10 /).check({ force: true })
  await expect(custom(page)).toHaveValue('')
  await custom(page).pressSequentially('4001')
  await expect(page.getByText('Maximum custom amount is $4000')).toBeVisible()
  await expect(custom(page)).toHaveValue('400')
  await custom(page).fill('-5')
  await expect(page.getByText('Minimum custom amount is $5')).toBeVisible()
  await expect(line(page, 'You pay')).toHaveText('$400.00')
  await custom(page).fill('')
  await expect(checkout(page)).toBeDisabled()
  await custom(page).fill('1200')
  await expect(page.getByText(/^\$500 of this arrives at once.*The other \$700/)).toBeVisible()
})

test('keeps what is chosen, switched and pressed before the script runs', async ({ page }) => {
  const letGo = await hold(page, '**/_astro/BuyCredits.*.js')
  await page.goto('/buy-credits')
  await custom(page).fill('60')
  await autoTopUp(page).check({ force: true })
  await checkout(page).click()
  letGo()
  await expect(page).toHaveURL(/\/register$/)
  await page.goBack()
  await expect(custom(page)).toHaveValue('60')
})

test('asks again for less than $5, reports answers without an address, gives the button back, opens one checkout', async ({
  page,
}) => {
  await signUpAndOpen(page, '/buy-credits?amount=100')
  await custom(page).fill('3')
  await checkout(page).click()
  await expect(page.getByText('Please select or enter a valid amount (minimum $5)')).toBeVisible()
  await expect(custom(page)).toBeFocused()
  await custom(page).fill('20')
  await page.route(sessions, route => route.fulfill({ json: {} }))
  await checkout(page).click()
  await expect(page.getByText('Could not create checkout session')).toBeVisible()
  await page.unroute(sessions)
  await page.route(sessions, route => route.abort())
  await checkout(page).click()
  await expect(page.getByText('An error occurred. Please try again.')).toBeVisible()
  await expect(checkout(page)).toBeEnabled()
  await page.unroute(sessions)

  // A page that the browser kept is given back its button.
  const letGo = await hold(page, sessions)
  await checkout(page).click()
  await expect(page.getByRole('button', { name: 'Opening the checkout…' })).toBeDisabled()
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(checkout(page)).toBeEnabled()
  letGo()
  await expect(page.getByRole('heading', { name: /^Pay/ })).toBeVisible()
  await page.unroute(sessions)
  await open(page, '/buy-credits?amount=100')

  // A double click opens one checkout; back from it the page works and has its amount.
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/create-checkout-session')) asked.push(request.method())
  })
  await checkout(page).dblclick()
  await expect(page.getByRole('heading', { name: /^Pay/ })).toBeVisible()
  expect(asked).toEqual(['POST'])
  await page.goBack()
  await expect(page).toHaveURL(/\/buy-credits\?amount=100$/)
  await expect(tile(page, /^\$100/)).toBeChecked()
  await expect(checkout(page)).toBeEnabled()
  await checkout(page).click()
  await expect(page.getByRole('heading', { name: /^Pay/ })).toBeVisible()
})

test('auto top-up without a saved card goes with the purchase, which saves it; then it is one press', async ({
  page,
}) => {
  await signUpAndOpen(page)
  await expect(autoTopUp(page)).not.toBeChecked()
  await page.getByRole('button', { name: 'About Auto Top-Up' }).click()
  const about = page.getByRole('dialog', { name: 'About Auto Top-Up' })
  await expect(about).toContainText('When your balance falls to $2.00, we charge your saved card')
  await page.mouse.move(0, 0)
  expect(await violationsEverywhere(page)).toEqual([])
  await about.getByRole('button', { name: 'Got it' }).click()
  await autoTopUp(page).check({ force: true })
  await expect(page.getByText('Make a credit purchase to save your card for auto top-up')).toBeVisible()
  await checkout(page).click()
  await pay(page)
  await page.waitForURL('**/call*')
  await expect(page.getByText('Credits added successfully!')).toBeVisible()

  await open(page)
  await expect(autoTopUp(page)).toBeChecked()
  await autoTopUp(page).uncheck({ force: true })
  await expect(page.getByText('Auto top-up disabled.')).toBeVisible()
  await autoTopUp(page).check({ force: true })
  await expect(page.getByText('Auto top-up enabled.')).toBeVisible()
  await page.reload()
  await expect(autoTopUp(page)).toBeChecked()
})

test('credits are bought, said to be there once they are, and the address says nothing more', {
  tag: '@core',
}, async ({ page }) => {
  await signUpAndOpen(page, '/buy-credits?amount=50')
  await checkout(page).click()
  await pay(page)
  await expect(page.getByText('Credits added successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/call$/)
})

test('a success typed by hand brings no credit and no word of any; a late one is waited for', async ({
  page,
  farline,
}) => {
  await signUp(page, { at: '/call?payment=success' })
  await expect(page).toHaveURL(/\/call$/)
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await page.goto('/call?payment=success&order=0192f6a4-7c1e-4b7e-9a53-3f1d2c4b5a69')
  await expect(page).toHaveURL(/\/call$/)
  await page.waitForTimeout(1500)
  await expect(page.getByText('Credits added successfully!')).toBeHidden()

  await open(page, '/buy-credits?amount=10')
  await checkout(page).click()
  await pay(page, 'succeeds', 'after 20 seconds')
  await page.waitForURL('**/call*')
  await expect(page.getByText('Waiting for your payment to be confirmed.')).toBeVisible()
  await expect(page).toHaveURL(/\/call$/)
  await farline.advance(20_000)
  await expect(page.getByText('Credits added successfully!')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Waiting for your payment to be confirmed.')).toBeHidden()
})

test('a user who followed a referral link can say so at the first checkout, days and pages later', async ({
  page,
}) => {
  await page.goto('/faq?ref=anna-1')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('referral'))).toContain('anna-1')
  await signUpAndOpen(page)
  const request = page.waitForRequest(sessions)
  await page.waitForFunction(() => 'referralValue' in globalThis)
  // The page looks for it twice a second.
  await page.waitForTimeout(referralPollMs + 100)
  await checkout(page).click()
  expect((await request).postDataJSON()).toEqual({
    amount: 25,
    credits: 25,
    referralId: 'anna-1',
    autoTopUpEnabled: false,
  })
  // A browser that is closed on its way to the checkout may hang.
  await expect(page).not.toHaveURL(/\/buy-credits/)
  await page.waitForLoadState()
})

test('nothing about the page keeps people out, on small screens and large sums', async ({ page }) => {
  await open(page)
  expect(await violationsEverywhere(page)).toEqual([])
  await custom(page).fill('4000')
  await autoTopUp(page).check({ force: true })
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  expect(await violationsEverywhere(page)).toEqual([])
})
