// @covers server/identity/google server/accounts/google
import { expect, test } from '#support/e2e.ts'
import { newAddress } from '#support/people.ts'

test('a stranger signs in with Google and calls, as the same person the next time', { tag: '@core' }, async ({
  page,
}) => {
  const email = newAddress('googler')
  await page.goto('/register?next=/call')
  await page.getByRole('link', { name: 'Continue with Google' }).dblclick()
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
  await page.getByLabel('Or any e-mail address').fill(email)
  await page.getByLabel('Or any e-mail address').press('Enter')

  await expect(page).toHaveURL(/\/call$/)
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await page.getByRole('button', { name: 'Skip tutorial' }).click()
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Profile' })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(url => url.pathname === '/')
  await page.goto('/login?next=/call-history')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByLabel('Or any e-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).toHaveURL(/\/call-history$/)
})

test('a user who presses cancel at Google learns it, and continues to the same page with another account', async ({
  page,
}) => {
  await page.goto('/login?next=/referrals')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'You stopped at Google' })).toBeVisible()

  await page.getByRole('link', { name: 'Continue with Google' }).press('Enter')
  await page.getByRole('radio', { name: 'ben@example.com' }).focus()
  await page.keyboard.press('Space')
  const confirmed = page.getByLabel('The address is confirmed there')
  await confirmed.press('Space')
  await expect(confirmed).not.toBeChecked()
  await page.getByRole('button', { name: 'Continue', exact: true }).press('Enter')
  await expect(page.getByText("Google hasn't confirmed that account's e-mail address")).toBeVisible()

  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByText('ben@example.com').click()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).toHaveURL(/\/referrals$/)
})
