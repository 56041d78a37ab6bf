// @covers src/islands/account/profile/album
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

test('a user calls India for the first time and finds its stamp, postmarked today, in the album', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, { at: '/profile' })
  const album = page.getByRole('region', { name: 'Your stamps' })
  await expect(album.getByText('Call somebody abroad.')).toBeVisible()
  const india = album.getByRole('listitem').filter({ hasText: 'India' })
  await expect(india).toContainText('Not called yet')

  await page.goto('/call')
  await dial(page, '+91 98765 43210')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeAttached()

  await page.goto('/profile')
  const { today, day, year } = await page.evaluate(() => {
    const now = new Date()
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-GB', options).format(now)
    return {
      today: format({ day: 'numeric', month: 'short', year: 'numeric' }),
      day: format({ day: 'numeric', month: 'short' }),
      year: now.getFullYear(),
    }
  })
  await expect(india).toHaveCount(1)
  await expect(india).toContainText(`First call on ${today}`)
  await expect(india.locator('.postmark')).toContainText(day)
  await expect(india).not.toContainText('Not called yet')
  await expect(album.getByText(`${year}: 1 country, 1 min, free`)).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
  await india.getByRole('link').click()
  await expect(page).toHaveURL(/\/calling\/in$/)
})

test('an album that does not load says so and can be loaded again', async ({ page }) => {
  let away = true
  await page.route('**/api/protected/album*', route => (away ? route.abort() : route.continue()))
  await signUp(page, { at: '/profile' })
  const album = page.getByRole('region', { name: 'Your stamps' })
  await expect(album.getByRole('alert')).toBeVisible()
  away = false
  await album.getByRole('button', { name: 'Try again' }).click()
  await expect(album.getByText('Call somebody abroad.')).toBeVisible()
})
