// @covers server/process server/calls/settlement/reconcile-calls.ts
// @real-time
import type { Page } from 'playwright/test'
import {
  callTone,
  expectCallOver,
  expectInCall,
  listenToAlerts,
  signUpWithCredit,
} from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import type { TestServer } from '#support/test-server.ts'

/** What the cut call was charged comes back by itself. */
const oneMinute = { charges: [20_000, 20_000], balance: 'Balance: $5.00' }
const refunded = /We restarted during your call\. Talked 0:\d\d\. We refunded \$0\.02\./
/** Within this time of the server's stop, or of its being back after a crash, the page says what happened. */
const noticeTimeoutMs = 3000

/** The history has the call as cut off, and the next one works on the very same page. */
async function expectLifeGoesOn(page: Page, farline: TestServer): Promise<void> {
  await callTone(page, farline)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $4.98')).toBeVisible()
  await page.goto('/call-history')
  const row = page.getByRole('row').filter({ hasText: 'Cut off, our fault' })
  await expect(row).toContainText('212 555 0100')
  await expect(row).toContainText('$0.02 refunded')
  await expect(page.getByText('In Call', { exact: true })).toHaveCount(0)
}

test('kill -9 in a call: settled once after the restart, the books balance, the page says what happened', async ({
  page,
  farline,
}) => {
  // Two starts of a server, and a call as long as a heartbeat.
  test.slow()
  // The restarted server runs on the true time again: its clock was set back by a minute, as clocks are.
  await farline.advance(60_000)
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expect(page.getByText('Balance: $4.98')).toBeVisible()
  // The end of a crashed call is its last heartbeat, written every 5 seconds: let there be one.
  await expect(page.getByRole('timer')).toHaveText(/00:(0[6-9]|[1-5]\d)/)
  await farline.kill()
  await expect(page.getByText('We lost the connection. Retrying.')).toBeVisible()
  await expectInCall(page)
  await farline.restart()

  await expect(page.getByText(/^(the call was cut off|we restarted)/i)).toBeVisible({
    timeout: noticeTimeoutMs,
  })
  await expect(page.getByText(refunded)).toBeVisible()
  await expectCallOver(page, farline, callId, oneMinute)
  expect(await farline.findBreaches()).toEqual([])
  await expectLifeGoesOn(page, farline)
})

test('a server that stops in good order settles the call, and the page says what happened', async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expect(page.getByText('Balance: $4.98')).toBeVisible()
  const stopping = farline.stop()
  await expect(page.getByText('The call was cut off. Checking what was charged.')).toBeVisible({
    timeout: noticeTimeoutMs,
  })
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await stopping
  await farline.restart()
  await expect(page.getByText(refunded)).toBeVisible({
    timeout: 20_000,
  })
  await expectCallOver(page, farline, callId, oneMinute)
  await expectLifeGoesOn(page, farline)
})

test('a server that stays dead: one message at a time, which stays, and all is well when it is back', {
  tag: '@full',
}, async ({ page, farline }) => {
  test.setTimeout(240_000)
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expect(page.getByText('Balance: $4.98')).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/00:(0[6-9]|[1-5]\d)/)
  const alerts = await listenToAlerts(page)
  await farline.kill()
  await expectInCall(page)
  const checking = 'Connection to the service lost. Checking what was charged.'
  await expect(page.getByText(checking)).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  expect(await alerts()).toEqual(['We lost the connection. Retrying.', checking])
  // After more than a minute it says that it knows no more, and keeps saying so.
  const outOfReach = "We can't reach the service. Your history will show what was charged."
  await expect(page.getByText(outOfReach)).toBeVisible({ timeout: 120_000 })
  await new Promise(resolve => setTimeout(resolve, 10_000))
  await expect(page.getByText(outOfReach)).toBeVisible()
  expect(await alerts()).toEqual(['We lost the connection. Retrying.', checking, outOfReach])

  await farline.restart()
  await expect(page.getByText(refunded)).toBeVisible({
    timeout: 30_000,
  })
  await expectCallOver(page, farline, callId, oneMinute)
  await expectLifeGoesOn(page, farline)
})
