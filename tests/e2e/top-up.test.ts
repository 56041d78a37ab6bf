// @covers src/islands/dialler/top-up
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'

const receipt = (page: Page) => page.getByRole('region', { name: 'Call ended' })
const number = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
const call = (page: Page) => page.getByRole('button', { name: 'Call', exact: true })

/** Somebody whose free call is over, with this much credit in USD. */
async function signUpWithCredit(page: Page, farline: TestServer, credit: string): Promise<void> {
  const email = await signUp(page)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await expect(page.getByText('Free call', { exact: true })).toBeVisible()
  // A shorter free call is not used up.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await receipt(page).getByRole('button', { name: 'Close' }).click()
  if (credit !== '0') await farline.credit(email, Number(credit))
}

/** Pays at the local checkout with the card that works. */
async function pay(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'succeeds', exact: true }).check({ force: true })
  await page.getByRole('radio', { name: 'at once', exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'Pay $5.00' }).click()
}

test('a call runs out of credit; one tap leads to the checkout, and one press to the same call', {
  tag: '@core',
}, async ({ page, farline }) => {
  await signUpWithCredit(page, farline, '0.03')
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await farline.advance(61_000)
  await expect(receipt(page).getByText(/Your credits ran out\./)).toBeVisible()
  await expect(page.getByText('Balance: $0.01')).toBeVisible()
  await expect(receipt(page).getByRole('button', { name: 'Call again' })).toHaveText(
    'Top up $5 and call again',
  )
  const ordered = page.waitForRequest('**/api/payments/create-checkout-session')
  await receipt(page).getByRole('button', { name: 'Top up $5 and call again' }).click()
  expect((await ordered).postDataJSON()).toMatchObject({ amount: 5, credits: 5, autoTopUpEnabled: false })
  await pay(page)
  await expect(page.getByText('Credits added successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/call$/)
  await expect(page.getByText('Balance: $5.01')).toBeVisible()
  await expect(number(page)).toHaveValue('+12125550100')
  await call(page).click()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(receipt(page).getByRole('button', { name: 'Call again' })).toHaveText('Call again')
})

test('a call rejected for want of credit keeps its number through a cancelled checkout', async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline, '0')
  await dial(page, '2125550100')
  await expect(page.getByText('You do not have enough credits to make this call.')).toBeVisible()
  await page.getByRole('button', { name: 'Top up $5' }).click()
  await page
    .getByRole('link', { name: /Cancel|Back/ })
    .first()
    .click()
  await expect(page.getByText('Checkout cancelled. Nothing was charged.')).toBeVisible()
  await expect(page).toHaveURL(/\/call$/)
  await expect(number(page)).toHaveValue('+12125550100')
  await expect(call(page)).toBeEnabled()
  expect(await violationsEverywhere(page)).toEqual([])
})

test('credits bought in another tab during a call let it go on', async ({ page, context, farline }) => {
  await signUpWithCredit(page, farline, '0.05')
  await dial(page, '2125550100')
  await expect(page.getByText('Low credits! Call will end soon.')).toBeVisible()
  await expect(page.getByText('About 2 min left')).toBeVisible()
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Top up $5 (opens in a new tab)' }).click()
  const tab = await opened
  await pay(tab)
  await expect(tab.getByText('Credits added successfully!')).toBeVisible()
  await tab.close()
  await expect(page.getByText('Low credits! Call will end soon.')).toBeHidden()
  await expect(page.getByText('About 2 min left')).toBeHidden()
  await farline.advance(180_000)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(receipt(page)).toBeVisible()
})
