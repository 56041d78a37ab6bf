// @covers server/spending
import type { Page } from 'playwright/test'
import { violations } from '#support/axe.ts'
import { expectInCall } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

/** 0.02 USD a minute. */
const tone = '2125550100'
const spending = (page: Page) => page.getByRole('region', { name: 'Spending' })
const field = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })

async function setCap(page: Page, label: string, usd: string): Promise<void> {
  await spending(page).getByLabel(label).fill(usd)
  await spending(page).getByRole('button', { name: 'Save limits' }).click()
}

test('caps are set in the profile, limit a call, and are announced before the next and after the last', {
  tag: '@core',
}, async ({ page, farline }) => {
  const email = await signUp(page)
  await farline.credit(email, 5)
  await dial(page, tone)
  await expectInCall(page)
  // A shorter free call would stay free.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $5.00')).toBeVisible()

  await page.goto('/profile#spending')
  await expect(spending(page).getByText('Spent this month: $0.00, until')).toBeVisible()
  await setCap(page, 'Limit per call', 'five')
  await expect(spending(page).getByText('Enter dollars and cents, such as 5 or 2.50.')).toBeVisible()
  await expect(spending(page).getByLabel('Limit per call')).toBeFocused()
  await setCap(page, 'Limit per call', '0,05')
  await expect(spending(page).getByText('Saved.')).toBeVisible()
  await expect(spending(page).getByLabel('Limit per call')).toHaveValue('0.05')
  expect(await violations(page)).toEqual([])

  await page.goto('/call')
  await dial(page, tone)
  await expectInCall(page)
  await farline.advance(121_000)
  await expect(
    page.getByText('You reached your limit per call. Talked 2:00, charged $0.04.').first(),
  ).toBeVisible()
  await expect(page.getByText('Balance: $4.96')).toBeVisible()

  await page.goto('/profile')
  await expect(spending(page).getByText('Spent this month: $0.04, until')).toBeVisible()
  await setCap(page, 'Limit per month', '0.07')
  await expect(spending(page).getByText('Spent this month: $0.04 of $0.07, until')).toBeVisible()

  await page.goto('/call')
  await dial(page, tone)
  await expect(page.getByRole('status').getByText('Less than 1 minute left.')).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $4.94')).toBeVisible()

  await page.goto('/call')
  await field(page).fill(tone)
  const message = page.getByText('Monthly limit: $0.01 left; a minute is $0.02.')
  await expect(message).toBeVisible()
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(message).toBeVisible()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await page.getByRole('link', { name: 'your profile' }).click()
  await expect(spending(page).getByRole('heading', { name: 'Spending' })).toBeInViewport()
})

test('a locked country is announced as locked before the call, and rejected; unlocked it rings', async ({
  page,
}) => {
  test.slow()
  await signUp(page, { at: '/profile' })
  await spending(page).getByRole('button', { name: 'Choose locked countries' }).click()
  const dialog = page.getByRole('dialog', { name: 'Locked countries' })
  await dialog.getByRole('button', { name: 'Lock all' }).click()
  await expect(dialog.getByRole('button', { name: 'Save 165 locked' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Unlock all' }).click()
  await dialog.getByLabel('Search countries').fill('indi')
  await dialog.getByLabel('India').check()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save 1 locked' }).click()
  await expect(dialog).toBeHidden()
  await expect(spending(page).getByRole('listitem')).toHaveText('India')
  await expect(spending(page).getByRole('button', { name: 'Choose locked countries' })).toBeFocused()

  await page.goto('/call')
  await field(page).fill('+91 98765 43219')
  const message = page.getByText("You've locked calls to India. Unlock it in your profile.")
  await expect(message).toBeVisible()
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect(message).toBeVisible()

  await page.getByRole('link', { name: 'your profile' }).click()
  await spending(page).getByRole('button', { name: 'Choose locked countries' }).click()
  await dialog.getByRole('button', { name: 'Lock all' }).click()
  await dialog.getByRole('button', { name: 'Unlock all' }).click()
  await dialog.getByRole('button', { name: 'Save 0 locked' }).click()
  await expect(spending(page).getByText('None. Lock the countries you never call')).toBeVisible()
  await page.goto('/call')
  await dial(page, '+91 98765 43219')
  await expect(page.getByText('Ringing', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
})

test('two tabs: neither undoes what the other sets @full', async ({ page, context }) => {
  await signUp(page, { at: '/profile' })
  await expect(spending(page).getByLabel('Limit per call')).toBeVisible()
  const other = await context.newPage()
  await other.goto('/profile')
  await setCap(other, 'Limit per call', '1')
  await expect(spending(other).getByText('Saved.')).toBeVisible()
  await setCap(page, 'Limit per month', '5')
  await expect(spending(page).getByText('Saved.')).toBeVisible()
  await expect(spending(page).getByLabel('Limit per call')).toHaveValue('1.00')

  const dialogOf = (tab: Page) => tab.getByRole('dialog', { name: 'Locked countries' })
  for (const tab of [page, other])
    await spending(tab).getByRole('button', { name: 'Choose locked countries' }).click()
  for (const [tab, name] of [
    [page, 'India'],
    [other, 'Cuba'],
  ] as const) {
    await dialogOf(tab).getByLabel('Search countries').fill(name)
    await dialogOf(tab).getByLabel(name).check()
    await dialogOf(tab)
      .getByRole('button', { name: /^Save \d locked$/ })
      .click()
    await expect(dialogOf(tab)).toBeHidden()
  }
  await expect(spending(other).getByRole('listitem')).toHaveText(['Cuba', 'India'])
})
