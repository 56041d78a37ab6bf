// @covers src/shared/auto-top-up server/payments/auto-top-up
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

const inCall = 'In Call'
const number = '2125550100'

test('reports a declined top-up in the call, after it beside the switch, until that is turned', async ({
  page,
  farline,
}) => {
  await signUp(page)
  await dial(page, number)
  await expect(page.getByText(inCall, { exact: true })).toBeVisible()
  // A shorter free call would stay free.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()

  await page.goto('/buy-credits?amount=5')
  await page.getByRole('switch', { name: 'Auto top-up' }).check({ force: true })
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await page.getByRole('radio', { name: 'declines later', exact: true }).check({ force: true })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('Credits added successfully!')).toBeVisible()
  await page.goto('/billing-history')
  const receipt = await page.getByRole('link', { name: /^Receipt F-/ }).getAttribute('href')
  const payment = new URL(receipt ?? '', farline.url).searchParams.get('id') ?? ''
  await farline.admin('refund', payment, '3', '--reason', 'an end-to-end test')

  await page.goto('/call')
  await dial(page, number)
  await expect(page.getByText('Top-up failed. Call will end soon.')).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()

  await page.goto('/buy-credits')
  const topUp = page.getByRole('switch', { name: 'Auto top-up' })
  const why = 'Your card was declined, so auto top-up failed. Buy credits to keep calling.'
  await expect(page.getByText(why)).toBeVisible()
  await expect(topUp).toBeChecked()
  await expect(topUp).toHaveAccessibleDescription(why)
  expect(await violationsEverywhere(page)).toEqual([])
  await topUp.uncheck({ force: true })
  await expect(page.getByText('Auto top-up disabled.')).toBeVisible()
  await expect(page.getByText(why)).toBeHidden()
})
