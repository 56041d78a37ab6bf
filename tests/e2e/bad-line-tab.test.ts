// @covers server/calls/metering/heartbeat.ts
// @real-time
import { callTone, expectTone, signUpWithCredit } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { dial } from '#support/people.ts'

test('the tab crashes in a call: the call ends by itself, costs what was heard, and a fresh tab can call', async ({
  page,
  context,
  farline,
}) => {
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expectTone(page)
  const crashed = page.waitForEvent('crash')
  page.goto('chrome://crash').catch(() => undefined)
  await crashed

  const fresh = await context.newPage()
  await fresh.goto('/call')
  await expect(fresh.getByText('Balance: $4.98')).toBeVisible()
  // Long enough for the exchange to miss the caller; two minutes more would cost two minutes more.
  await farline.advance(170_000)
  await expect.poll(() => farline.liveCalls()).toEqual([])
  await expect(fresh.getByText('Balance: $4.98')).toBeVisible()
  const charged = (await farline.charges(callId)).reduce((sum, { amount }) => sum + amount, 0)
  expect(charged).toBeLessThanOrEqual(3 * 20_000)

  await fresh.goto('/call-history')
  const row = fresh.getByRole('row').filter({ hasText: '212 555 0100' }).first()
  await expect(row).toContainText('Connection lost')
  await expect(row).toContainText('$0.02')
  await fresh.goto('/call')
  await callTone(fresh, farline)
  await fresh.getByRole('button', { name: 'Hang up' }).click()
  await expect(fresh.getByText('Balance: $4.96')).toBeVisible()
})

test('a user who calls again from a fresh tab is not locked out by the call of the crashed one', async ({
  page,
  context,
  farline,
}) => {
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expectTone(page)
  const crashed = page.waitForEvent('crash')
  page.goto('chrome://crash').catch(() => undefined)
  await crashed
  const fresh = await context.newPage()
  await fresh.goto('/call')
  // The clock does not move: the lost call can be taken for a live one only in the first moments.
  await expect(async () => {
    await dial(fresh, '2125550100')
    await expect(fresh.getByText('In Call', { exact: true })).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 20_000 })
  expect(await farline.liveCalls()).not.toContain(callId)
  await fresh.getByRole('button', { name: 'Hang up' }).click()
  await expect(fresh.getByText('Balance: $4.96')).toBeVisible()
})
