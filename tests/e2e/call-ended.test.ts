// @covers src/islands/dialler/call-ended src/shared/call-claim server/calls/settlement
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'

test.use({ policy: { credit: { maxAutomatic: 3 } } })

const card = (page: Page) => page.getByRole('region', { name: 'Call ended' })
const line = (page: Page, term: string) =>
  card(page)
    .getByRole('definition')
    .and(page.locator(`dt:text-is("${term}") + dd`))

/** Somebody with credit whose free call is over. */
async function signUpWithCredit(page: Page, farline: TestServer): Promise<void> {
  const email = await signUp(page)
  await farline.credit(email, 5)
  await holdCall(page, farline, '2125550100', 11_000)
  await expect(line(page, 'Total')).toHaveText('Free')
}

/** Talks for this long by the server's clock, then hangs up. */
async function holdCall(page: Page, farline: TestServer, number: string, ms: number): Promise<void> {
  await dial(page, number)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await farline.advance(ms)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(card(page)).toBeVisible()
}

test('a short call is refunded by itself, as its receipt, the balance and both histories say', {
  tag: '@core',
}, async ({ page, farline }) => {
  await signUpWithCredit(page, farline)
  await holdCall(page, farline, '2125550100', 2000)
  await expect(page.getByText(/You hung up\. Talked 0:0\d, charged \$0\.02, refunded\./)).toBeAttached()
  await expect(line(page, 'Charged')).toHaveText('$0.02')
  await expect(line(page, 'Refund, under 10 seconds')).toHaveText('−$0.02')
  await expect(line(page, 'Total')).toHaveText('$0.00')
  await expect(line(page, 'Balance now')).toHaveText('$5.00')
  await expect(card(page).getByRole('button', { name: 'Bad call? Get your money back' })).toHaveCount(0)

  await card(page).getByRole('link', { name: 'Print receipt' }).click()
  await expect(page.getByRole('row', { name: /^Refund, under 10 seconds/ })).toContainText('−$0.02')
  await expect(page.getByRole('row', { name: /^Total/ })).toContainText('$0.00')
  await page.goto('/call-history')
  await expect(page.getByRole('row').filter({ hasText: '212 555 0100' }).first()).toContainText('refunded')
  await page.goto('/billing-history')
  await expect(page.getByText('Bad call, refunded')).toBeVisible()
})

test('a call from which no sound ever came is refunded by itself, however long it was', async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline)
  await holdCall(page, farline, '2125550108', 61_000)
  await expect(line(page, 'Minutes charged')).toHaveText('2')
  await expect(line(page, 'Refund, no sound came back')).toHaveText('−$0.04')
  await expect(line(page, 'Balance now')).toHaveText('$5.00')
})

test('a long bad call is claimed once from its receipt, and a person answers for the rest', async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline)
  await holdCall(page, farline, '2125550100', 61_000)
  await expect(line(page, 'Talked')).toHaveText(/^1:0\d \(6\d s\)$/)
  await expect(line(page, 'Minutes charged')).toHaveText('2')
  await expect(line(page, 'Rate per minute')).toHaveText('$0.020')
  await expect(line(page, 'Total')).toHaveText('$0.04')
  await expect(line(page, 'Balance now')).toHaveText('$4.96')

  await card(page).getByRole('button', { name: 'Bad call? Get your money back' }).click()
  await expect(card(page).getByRole('button', { name: 'Refund $0.04' })).toBeDisabled()
  await card(page).getByText('Choppy audio').click()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(card(page).getByRole('radio', { name: 'Choppy audio' })).toBeChecked()
  await card(page).getByRole('button', { name: 'Refund $0.04' }).click()
  await expect(card(page).getByText('$0.04 is back in your balance.')).toBeFocused()
  await expect(line(page, 'Total')).toHaveText('$0.00')
  await expect(line(page, 'Balance now')).toHaveText('$5.00')

  await card(page).getByRole('link', { name: 'Print receipt' }).click()
  await expect(page.getByRole('row', { name: /^Refund, bad call/ })).toContainText('−$0.04')
  await expect(page.getByRole('button', { name: 'Bad call? Get your money back' })).toHaveCount(0)
})

test('from the receipt the number is saved and called again, and the keyboard closes it', async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline)
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeFocused()
  await card(page).getByRole('button', { name: 'Save number' }).click()
  await page.getByRole('dialog').getByLabel('Contact Name').fill('Aunt Rose')
  await page.getByRole('button', { name: 'Save contact' }).click()
  await expect(card(page).getByText('Aunt Rose')).toBeVisible()
  await expect(card(page).getByRole('button', { name: 'Save number' })).toHaveCount(0)

  await card(page).getByRole('button', { name: 'Call again' }).click()
  await expect(card(page)).toBeHidden()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await card(page).getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeFocused()
})

test('on a small screen it lies over the keys, and gives way to whoever types on', { tag: '@full' }, async ({
  page,
  farline,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUpWithCredit(page, farline)
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('5')
  await expect(card(page)).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue(/5$/)
  await dial(page, '2125550101')
  await expect(page.getByText('The line is busy. Nothing was charged.')).toBeVisible()
  await expect(card(page)).toBeHidden()
})
