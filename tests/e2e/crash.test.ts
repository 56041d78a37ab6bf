import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

test('kill -9 in a call: settled once after the restart, the books balance, the page says what happened', async ({
  page,
  farline,
}) => {
  const email = await signUp(page)
  await farline.admin('credit', email, '5', '--reason', 'an end-to-end test')
  // The restarted server runs on the true time again: its clock was set back by a minute, as clocks are.
  await farline.advance(60_000)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $5.00')).toBeVisible()

  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await expect(page.getByText('Balance: $4.98')).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  // The end of a crashed call is its last heartbeat, written every 5 seconds: let there be one.
  await expect(page.getByRole('timer')).toHaveText('00:06')
  await farline.kill()
  await farline.restart()

  await expect(page.getByText('Call Disconnected')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('main')).toContainText(/service restarted.*charged \$0\.02/, {
    timeout: 20_000,
  })
  expect((await farline.charges(callId)).map(({ amount }) => amount)).toEqual([20_000])
  expect(await farline.findBreaches()).toEqual([])

  await page.goto('/call-history')
  const row = page.getByRole('row').filter({ hasText: '212 555 0100' }).first()
  await expect(row).toContainText('$0.02')
  await expect(row).toContainText(/cut off|interrupted/i)

  await page.goto('/call')
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
})

test('a server that stops in good order settles the call, and the page says what happened', async ({
  page,
  farline,
}) => {
  await signUp(page)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await farline.stop()
  await expect(page.getByText('Call Disconnected')).toBeVisible({ timeout: 20_000 })
  await farline.restart()
  await expect(page.getByRole('main')).toContainText(/service restarted.*free call/, {
    timeout: 20_000,
  })
})
