// @covers src/islands/billing-history src/islands/receipt server/payments/receipt.ts server/payments/refunds
import { readFile } from 'node:fs/promises'
import { violationsEverywhere } from '#support/axe.ts'
import { expectInCall, signUpWithCredit } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

test('a buyer finds the payment in the billing history, prints its receipt, and has the money back', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, { at: '/billing-history' })
  await expect(page.getByRole('heading', { name: 'No payments yet' })).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])

  await page.goto('/buy-credits?amount=50')
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await page.getByRole('radio', { name: 'succeeds' }).check({ force: true })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await page.waitForURL('**/call*')

  await page.goto('/billing-history')
  const line = page.getByRole('row', { name: /Credits bought/ })
  await expect(line).toContainText('+$50.00')
  await expect(page.getByRole('row', { name: /Bonus credits/ })).toContainText('$52.00')
  await expect(page.getByText('bought since')).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Everything as CSV' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  expect(csv).toMatch(/Credits bought,50\.00,50\.00,,,F-\d{4}-\d{4},/)

  // The heading is there before the receipt, and stays where it is when the receipt comes.
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/api/payments/*/receipt', async route => {
    await held
    await route.continue()
  })
  await line.getByRole('link', { name: /^Receipt F-/ }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Receipt')
  await expect(page.getByText('Loading the receipt…')).toBeAttached()
  const before = await heading.boundingBox()
  release()
  await expect(page.getByText('Visa ending 4242')).toBeVisible()
  expect(await heading.boundingBox()).toEqual(before)
  await expect(heading).toHaveText('Receipt')
  await expect(page.getByRole('row', { name: /^Total/ })).toContainText('$52.00$50.00')
  await expect(page).toHaveTitle(/^Receipt F-\d{4}-\d{4} · /)
  expect(await violationsEverywhere(page)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Main' }).first()).toBeHidden()
  await expect(page.getByRole('row', { name: /^Total/ })).toBeVisible()
  await page.emulateMedia({ media: null })

  await page.getByRole('main').getByRole('link', { name: 'Billing history' }).click()
  await line.getByRole('button', { name: /^Refund F-/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund this payment' })
  await expect(dialog).toContainText('Your balance goes down by $52.00, because its bonus goes with it.')
  expect(await violationsEverywhere(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Refund $50.00' }).click()
  await expect(page.getByText('$50.00 is on its way back to your card.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(line).toContainText('Refunded')
  await expect(line.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('row', { name: /Refund to your card/ })).toContainText('−$50.00')
  await page.getByRole('radio', { name: 'Purchases' }).check({ force: true })
  await expect(page.getByRole('row', { name: /Refund to your card/ })).toHaveCount(0)
  await expect(line).toContainText('+$50.00')
  await page.getByRole('radio', { name: 'Calls' }).check({ force: true })
  await expect(page.getByText('No charged calls yet.')).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
})

test('a user who disputes a payment reads on the billing history why no call can be made', async ({
  page,
}) => {
  await signUp(page, { at: '/buy-credits?amount=10' })
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await page.getByRole('radio', { name: 'is disputed', exact: true }).check({ force: true })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await page.waitForURL('**/call*')
  await expect(async () => {
    await page.goto('/billing-history')
    await expect(
      page.getByText("You can't make calls for now. A payment for your credits is disputed with your bank."),
    ).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(page.getByRole('row', { name: /Disputed payment/ })).toContainText('−$10.00')
  expect(await violationsEverywhere(page)).toEqual([])
})

test('a call of several minutes is one line, which leads to its receipt', async ({ page, farline }) => {
  await signUpWithCredit(page, farline)
  await dial(page, '2125550100')
  await expectInCall(page)
  await farline.advance(121_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $4.94')).toBeVisible()
  await page.goto('/billing-history')
  const call = page.getByRole('row', { name: /^Call/ })
  await expect(call).toHaveCount(1)
  await expect(call).toContainText('3 minutes')
  await expect(call).toContainText('−$0.06')
  await expect(call).toContainText('$4.94')
  await call.getByRole('link', { name: /^Receipt for the call/ }).click()
  await expect(page.getByRole('row', { name: /^Total/ })).toContainText('$0.06')
})
