// @covers server/calls/metering server/ledger
import type { Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'

/** Talks for this long by the server's clock, then hangs up. @returns the call's charges in the ledger */
async function holdCall(page: Page, farline: TestServer, ms: number) {
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  await farline.advance(ms)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect.poll(() => farline.liveCalls()).toEqual([])
  return farline.charges(callId)
}

test('with credit, 10 seconds cost one rate and 61 seconds two; ledger and history agree', async ({
  page,
  farline,
}) => {
  const email = await signUp(page)
  expect(await farline.admin('credit', email, '5', '--reason', 'an end-to-end test')).toContain(
    'The balance is $5.00.',
  )
  await expect(page.getByText('Free Call Available')).toBeVisible()
  expect(await holdCall(page, farline, 11_000)).toEqual([])
  await expect(page.getByText('Balance: $5.00')).toBeVisible()

  const short = await holdCall(page, farline, 10_000)
  expect(short.map(({ amount }) => amount)).toEqual([20_000])
  await expect(page.getByText('Balance: $4.98')).toBeVisible()

  const long = await holdCall(page, farline, 61_000)
  expect(long.map(({ amount }) => amount)).toEqual([20_000, 20_000])
  await expect(page.getByText('Balance: $4.94')).toBeVisible()

  await page.goto('/call-history')
  const rows = page.getByRole('row').filter({ hasText: '212 555 0100' })
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('$0.04')
  await expect(rows.nth(0)).toContainText('2 min')
  await expect(rows.nth(1)).toContainText('$0.02')
  await expect(rows.nth(1)).toContainText('1 min')
  await expect(rows.nth(2)).toContainText('Free')
})

test('the call ends by itself when the credit is used up, and never a cent below', async ({
  page,
  farline,
}) => {
  const email = await signUp(page)
  await farline.credit(email, 0.03)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  // A shorter free call would stay free.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $0.03')).toBeVisible()

  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await farline.advance(61_000)
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect(page.getByText('Balance: $0.01')).toBeVisible()

  await dial(page, '2125550100')
  await expect(page.getByText('You do not have enough credits to make this call.')).toBeVisible()
})

test('a call that was promised to be free and is not says so before it rings; the next press pays', async ({
  page,
  farline,
}) => {
  const email = await signUp(page)
  await farline.credit(email, 5)
  await holdCall(page, farline, 11_000)
  await expect(page.getByText('Balance: $5.00')).toBeVisible()

  // A page that does not know yet what has become of the free call.
  await page.route('**/api/protected/me', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), has_used_free_call: false } })
  })
  await page.reload()
  await expect(page.getByText('Free Call Available')).toBeVisible()
  // The call is promised to be free by the price beneath its number. A press before that shows promises nothing.
  await page.getByRole('textbox', { name: 'Phone number' }).fill('2125550100')
  await expect(page.getByText('min free')).toBeVisible()
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(
    page.getByText("Your free call isn't available. Press Call again to pay $0.020 a minute."),
  ).toBeVisible()
  await expect(page.getByText('Balance: $5.00')).toBeVisible()
  await expect(page.getByText('min free')).toBeHidden()
  expect(await farline.liveCalls()).toEqual([])

  expect((await holdCall(page, farline, 10_000)).map(({ amount }) => amount)).toEqual([20_000])
  await expect(page.getByText('Balance: $4.98')).toBeVisible()
})

test('a number in an expensive range rings once its price is accepted, and not before', async ({
  page,
  farline,
}) => {
  const email = await signUp(page)
  await farline.credit(email, 5)
  // A shorter free call would stay free.
  await holdCall(page, farline, 11_000)
  const question = page.getByRole('dialog', { name: 'Confirm the price' })
  await dial(page, '+2347027123456')
  await expect(question).toContainText('in a range of Nigeria that costs more than other numbers there')
  const [, price = ''] = /(\$\d\.\d{3}) per minute/.exec((await question.textContent()) ?? '') ?? []
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeFocused()
  await expect(page.getByText(`${price} per minute`)).toBeVisible()
  expect(await farline.liveCalls()).toEqual([])

  await page.keyboard.press('Enter')
  await question.getByRole('button', { name: 'Call at this price' }).click()
  await expect(page.getByText('Ringing', { exact: true })).toBeVisible()
  await expect.poll(async () => (await farline.liveCalls()).length).toBe(1)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $5.00')).toBeVisible()
})
