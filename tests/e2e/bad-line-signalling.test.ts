// @covers src/islands/dialler/connection-trouble.ts
// @real-time
import {
  callTone,
  expectCallOver,
  expectInCall,
  expectTone,
  listenToAlerts,
  signUpWithCredit,
} from '#support/bad-line.ts'
import { expect, badLineTest as test } from '#support/e2e.ts'
import { longestSilenceMs, startListening } from '#support/page-audio.ts'
import { dial } from '#support/people.ts'

const reconnecting = 'We lost the connection. Retrying.'
const oneMinute = { charges: [20_000], balance: 'Balance: $4.98' }

test('the line to the service breaks in a call, again and again: the sound goes on, digits arrive', async ({
  page,
  farline,
  network,
}) => {
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expectTone(page)
  await startListening(page)
  const alerts = await listenToAlerts(page)

  for (const [breaks, digits] of ['1', '12', '123'].entries()) {
    expect(network.dropSignalling()).toBe(1)
    await expect.poll(alerts).toEqual(Array(breaks + 1).fill(reconnecting))
    await expectInCall(page)
    await page.keyboard.press(digits.slice(-1))
    await expect.poll(async () => (await farline.observe(callId))?.digits).toBe(digits)
    await expect(page.getByText(reconnecting)).toHaveCount(0)
  }

  // Twice in quick succession: again while the first break is being mended.
  network.dropSignalling()
  await expect.poll(() => network.dropSignalling()).toBe(1)
  await page.keyboard.press('4')
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe('1234')
  await expect(page.getByText(reconnecting)).toHaveCount(0)
  await expectInCall(page)
  await expectTone(page)
  expect(await longestSilenceMs(page)).toBeLessThan(1000)

  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/You hung up\. Talked 0:\d\d, charged \$0\.02\./)).toBeVisible()
  await expectCallOver(page, farline, callId, oneMinute)
})

test('the line breaks right after the answer: the call goes on', async ({ page, farline, network }) => {
  await signUpWithCredit(page, farline)
  const broken = network.dropSignallingAt('"type":"answer"', true)
  const callId = await callTone(page, farline)
  await broken
  await expectTone(page)
  await page.keyboard.press('7')
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe('7')
  await expect(page.getByText(reconnecting)).toHaveCount(0)
  await expectInCall(page)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/You hung up\. Talked 0:\d\d, charged \$0\.02\./)).toBeVisible()
  await expectCallOver(page, farline, callId, oneMinute)
})

test('the line breaks and takes the answer with it: no call is left that nobody hears', async ({
  page,
  farline,
  network,
}) => {
  await signUpWithCredit(page, farline)
  const broken = network.dropSignallingAt('"type":"answer"', false)
  await dial(page, '2125550100')
  await broken
  await expect(page.getByText('Cannot establish connection. Client is disconnected')).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  await farline.advance(60_000)
  await expect(page.getByText(/Cut off: the connection was lost\. Talked 0:0\d, /)).toBeVisible()
  expect(await farline.liveCalls()).not.toContain(callId)
})
