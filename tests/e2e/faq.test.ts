// @covers src/content/faq src/components/questions.ts
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'

const answer = (page: Page, text: string | RegExp) => page.getByRole('main').getByText(text)

test('a visitor finds out what a short call costs: by searching, in words that only the answer has', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/faq')
  const rounding = answer(page, /A call of 20 seconds is one minute/)
  await expect(rounding).toBeHidden()

  await page.getByRole('searchbox', { name: 'Search questions' }).fill('61 Seconds')
  await expect(page.getByRole('status')).toHaveText('1 answer for “61 Seconds”')
  await expect(rounding).toBeVisible()
  await expect(page.getByText('Do I need to install anything?')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Sound', exact: true })).toBeHidden()

  await page.getByRole('searchbox').fill('')
  await expect(page.getByRole('status')).toHaveText('')
  await expect(rounding).toBeHidden()
  await expect(page.getByText('Do I need to install anything?')).toBeVisible()
})

test('a search takes the words people use, and any order of them', async ({ page }) => {
  await page.goto('/faq')
  await page.getByRole('searchbox').fill('firewall')
  await expect(page.getByText('Does it work on an office or hotel network?')).toBeVisible()
  await expect(page.getByText("They can't hear me")).toBeHidden()
  await page.getByRole('searchbox').fill('  card  saved ')
  await expect(answer(page, /When a call takes your balance to \$2.00 or less/)).toBeVisible()
})

test('a search that finds nothing says so and leads to people', async ({ page }) => {
  await page.goto('/faq')
  await expect(page.getByText('Try another word', { exact: false })).toBeHidden()
  await page.getByRole('searchbox').fill('<b>flowers')
  await expect(page.getByRole('status')).toHaveText('0 answers for “<b>flowers”')
  await expect(page.getByText('Try another word', { exact: false })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Contact Us' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Write to us' })).toBeVisible()
})

test('choosing a group ends a search and shows the whole group', async ({ page }) => {
  await page.goto('/faq')
  await page.getByRole('searchbox').fill('expire')
  await expect(page.getByText('There is an echo')).toBeHidden()
  await page
    .getByRole('navigation', { name: 'Groups' })
    .getByRole('link', { name: /^Sound/ })
    .click()
  await expect(page.getByText('There is an echo')).toBeInViewport()
  await expect(page.getByRole('searchbox')).toHaveValue('')
})

test('a link to a question opens it, also when the page is already there', async ({ page }) => {
  await page.goto('/faq#refund')
  await expect(answer(page, /^Yes, for credits you bought and haven.t used/)).toBeInViewport()
  await expect(answer(page, /^Use headphones/)).toBeHidden()
  await page.goto('/faq#echo')
  await expect(answer(page, /^Use headphones/)).toBeInViewport()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('every answer opens, and there is no search that would do nothing', async ({ page }) => {
    await page.goto('/faq')
    await expect(page.getByRole('searchbox')).toBeHidden()
    await page.getByText('There is an echo').click()
    await expect(answer(page, /^Use headphones/)).toBeVisible()
    await page.goto('/faq#refund')
    await expect(answer(page, /^Yes, for credits you bought and haven.t used/)).toBeInViewport()
  })
})
