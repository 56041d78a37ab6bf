// @covers src/voice
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

const soundLost = 'Reconnecting. Stay on the line.'
const serviceLost = 'We lost the connection. Retrying.'
const oneMinute = { charges: [20_000], balance: 'Balance: $4.98' }
const seconds = (count: number) => new Promise(resolve => setTimeout(resolve, count * 1000))

test('no sound gets through for 20 s: reconnecting stands beside In Call, then the call goes on', {
  tag: '@full',
}, async ({ page, farline }) => {
  test.setTimeout(120_000)
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expectTone(page)
  const alerts = await listenToAlerts(page)

  await farline.loseSound(true)
  const back = seconds(20)
  await expect(page.getByText(soundLost)).toBeVisible({ timeout: 20_000 })
  await expectInCall(page)
  await back
  await expectInCall(page)
  await farline.loseSound(false)
  await expect(page.getByText(soundLost)).toHaveCount(0, { timeout: 30_000 })
  await expectTone(page)
  await expectInCall(page)
  expect(await alerts()).toEqual([soundLost])

  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/You hung up\. Talked 0:\d\d, charged \$0\.02\./)).toBeVisible()
  await expectCallOver(page, farline, callId, oneMinute)
})

for (const [length, tag] of [
  [5, ['@full']],
  [20, []],
] as const) {
  test(`the network is gone for ${length} s: the call continues`, {
    tag: [...tag],
  }, async ({ page, farline, network }) => {
    test.setTimeout(120_000)
    await signUpWithCredit(page, farline)
    const callId = await callTone(page, farline)
    await expectTone(page)

    network.lose()
    await farline.loseSound(true)
    await seconds(length)
    await expectInCall(page)
    // What is lost is noticed after some seconds, and a digit pressed from then on waits for the line.
    if (length > 10) await expect(page.getByText(soundLost).or(page.getByText(serviceLost))).toBeVisible()
    await page.keyboard.press('5')
    network.recover()
    await farline.loseSound(false)
    await expectTone(page)
    await page.keyboard.press('6')
    await expect.poll(async () => (await farline.observe(callId))?.digits, { timeout: 30_000 }).toBe('56')
    await expect(page.getByText(soundLost).or(page.getByText(serviceLost))).toHaveCount(0, {
      timeout: 30_000,
    })
    await expectInCall(page)

    await page.getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByText(/You hung up\. Talked 0:\d\d, charged \$0\.02\./)).toBeVisible()
    await expectCallOver(page, farline, callId, oneMinute)
  })
}

test('hanging up works while the service is out of reach: the next call goes through', async ({
  page,
  farline,
  network,
}) => {
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expectTone(page)
  network.lose()
  network.dropSignalling()
  await expect(page.getByText(serviceLost)).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/You hung up\. Talked 0:\d\d\./)).toBeVisible()
  network.recover()
  await expect(page.getByText(/You hung up\. Talked 0:\d\d, charged \$0\.02\./)).toBeVisible()
  await expectCallOver(page, farline, callId, oneMinute)
  await callTone(page, farline)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $4.96')).toBeVisible()
})

test('the network is gone for 60 s: the call ends on both sides, charged until the user was last heard', {
  tag: '@full',
}, async ({ page, farline, network }) => {
  test.setTimeout(180_000)
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expectTone(page)
  // A second minute begins while nothing is heard: it is refunded.
  await farline.advance(30_000)
  const alerts = await listenToAlerts(page)

  network.lose()
  await farline.loseSound(true)
  const back = seconds(60)
  await expect(page.getByText(soundLost).or(page.getByText(serviceLost))).toBeVisible({ timeout: 30_000 })
  await expectInCall(page)
  await expect(page.getByText('Connection to the service lost. Checking what was charged.')).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await back
  await expect(page.getByText('Connection to the service lost. Checking what was charged.')).toBeVisible()
  expect(await farline.liveCalls()).toEqual([])
  network.recover()
  await farline.loseSound(false)
  await expect(
    page.getByText(/Cut off: the connection was lost\. Talked 0:[3-5]\d, charged \$0\.02\./),
  ).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Balance: $4.98')).toBeVisible({ timeout: 30_000 })
  expect((await farline.charges(callId)).reduce((sum, { amount }) => sum + amount, 0)).toBeGreaterThan(0)
  expect(new Set(await alerts()).size).toBeLessThanOrEqual(4)

  await callTone(page, farline)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $4.96')).toBeVisible()
})
