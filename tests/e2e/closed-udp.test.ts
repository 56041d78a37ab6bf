// @covers server/telephony/exchange/media
// @real-time
import { expect, test } from '#support/e2e.ts'
import { listen } from '#support/page-audio.ts'
import { dial, signUp } from '#support/people.ts'

test.afterEach(({ farline }) => farline.closeUdp(false))

test('behind a firewall that lets only TCP through, a call is heard all the same', async ({
  page,
  farline,
}) => {
  await signUp(page)
  await farline.closeUdp(true)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await expect(async () => {
    const heard = await listen(page)
    expect(Math.abs(heard.hz - 1004)).toBeLessThan(8)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass()
  const [callId = ''] = await farline.liveCalls()
  const received = async () => (await farline.observe(callId))?.received.packets ?? 0
  const before = await received()
  await expect.poll(received).toBeGreaterThan(before + 25)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
})

test('UDP that stops in the middle of a call is replaced by TCP, and the call continues', async ({
  page,
  farline,
}) => {
  await signUp(page)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await farline.closeUdp(true)
  const [callId = ''] = await farline.liveCalls()
  const received = async () => (await farline.observe(callId))?.received.packets ?? 0
  const before = await received()
  await expect.poll(received, { timeout: 30_000 }).toBeGreaterThan(before + 100)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
})
