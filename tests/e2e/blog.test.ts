// @covers src/content/blog src/components/blog
import { expect, test } from '#support/e2e.ts'
import { signUp } from '#support/people.ts'

test('a visitor finds a post in the list, jumps to the part that matters, and reads on', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Quick links' }).getByRole('link', { name: 'Blog' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Letters' })).toBeVisible()

  await page.getByRole('link', { name: 'Why a leading zero breaks an international number' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Why a leading zero breaks an international number',
  )
  await expect(page.getByText('6 November 2026')).toBeVisible()
  await expect(page.getByText(/\d minutes to read/)).toBeVisible()

  await page
    .getByRole('navigation', { name: 'In this letter' })
    .getByRole('link', { name: 'Argentina' })
    .click()
  await expect(page.getByRole('heading', { name: 'Argentina: a 9 in, a 15 out' })).toBeInViewport()
  const mobile = page.getByRole('figure').filter({ hasText: '011 15-2345-6789' })
  await expect(mobile).toContainText('+54 9 11 2345 6789')
  await expect(mobile.getByText('leave out')).toHaveCount(2)

  const more = page.getByRole('navigation', { name: 'More letters' })
  await more.getByRole('link', { name: /^Older letter/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/leading zero/)
  await page
    .getByRole('navigation', { name: 'More letters' })
    .getByRole('link', { name: /^Newer letter/ })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/leading zero/)
})

test('a subject leads to every post on it', async ({ page }) => {
  await page.goto('/blog')
  await page.getByRole('list', { name: 'Subjects' }).getByRole('link', { name: 'caller ID' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Letters on caller ID' })).toBeVisible()
  await page.getByRole('link', { name: 'Showing your own number when you call' }).click()
  await expect(
    page.getByRole('list', { name: 'Subjects' }).getByRole('link', { name: 'caller ID' }),
  ).toBeVisible()
})

test('a call button in a post opens the dialler on that country, once there is an account', {
  tag: '@core',
}, async ({ page }) => {
  const letter = '/blog/when-to-ring-a-short-guide-to-time-zones'
  await page.goto(letter)
  await expect(page.getByRole('link', { name: 'Call India' })).toHaveAttribute(
    'href',
    '/register?next=%2Fcall%3Fcountry%3Din',
  )
  await signUp(page)
  await page.goto(letter)
  await page.getByRole('link', { name: 'Call India' }).click()
  await expect(page).toHaveURL(/\/call\?country=in$/)
  await expect(page.getByRole('button', { name: /India/ })).toBeVisible()
})
