// @covers src/islands/referrals server/referrals
import type { Page } from 'playwright/test'
import { referralPollMs } from '#shared/referral-code.ts'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { logIn, newAddress, password, readConfirmationToken, signUp } from '#support/people.ts'

// A server of its own: its clock leaps a week, which no other story is to notice.
test.use({ policy: { referral: { rewardMicroUsd: 5_000_000 } } })

/** Registers through the page, as somebody does who followed a link. */
async function register(page: Page, email: string): Promise<void> {
  await page.goto('/register')
  await page.waitForFunction(() => 'referralValue' in globalThis)
  // The form looks for it twice a second.
  await page.waitForTimeout(referralPollMs + 100)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).click()
  await page.waitForURL('**/check-email')
}

test('a user sends their link, a friend signs up and pays, the reward is announced, and a week later it is there', {
  tag: '@core',
}, async ({ page, browser, context, baseURL, farline }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUp(page, { at: '/referrals' })
  await expect(page.getByText('You get $5')).toBeVisible()
  await expect(page.getByText('Who joined')).toBeHidden()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Link copied.' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await expect(page.getByLabel('Your link')).toHaveValue(link)

  const elsewhere = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const friend = await elsewhere.newPage()
  await friend.goto(`/${new URL(link).search}`)
  const email = newAddress('friend')
  await friend.waitForFunction(() => localStorage.getItem('referral') !== null)
  await register(friend, email)
  const token = await readConfirmationToken(friend, email)
  await friend.request.post('/api/auth/verify-email', { data: { token } })
  await page.reload()
  const row = page.getByRole('listitem').filter({ hasText: 'f•••@e•••.com' })
  await expect(row).toContainText('Joined')
  await expect(page.getByText(email)).toBeHidden()

  await logIn(friend, email, { at: '/buy-credits?amount=10' })
  await friend.getByRole('button', { name: 'Secure Checkout' }).click()
  await friend.getByRole('radio', { name: 'succeeds', exact: true }).check({ force: true })
  await friend.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(friend.getByText('Credits added successfully!')).toBeVisible()
  await elsewhere.close()

  await expect(async () => {
    await page.reload()
    await expect(row).toContainText('Bought credits', { timeout: 2000 })
  }).toPass()
  await expect(row).toContainText(/\$5 on \w/)
  await expect(page.getByText('$0.00')).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])

  await farline.leap(7 * 24 * 3600_000 + 1000)
  await expect(async () => {
    await page.reload()
    await expect(row).toContainText('Reward given', { timeout: 2000 })
  }).toPass()
  await expect(row).toContainText('+$5.00')
  await expect(page.getByRole('definition').filter({ hasText: '$5.00' })).toBeVisible()
})
