// @covers src/session
import type { Page } from 'playwright/test'
import {
  expectCallOver,
  expectInCall,
  expectTone,
  listenToAlerts,
  signUpWithCredit,
} from '#support/bad-line.ts'
import { expect, badLineTest as test } from '#support/e2e.ts'

const minuteMs = 60_000
const nightMs = 9 * 60 * minuteMs

/** Opens the dialler, types a number that can be called, and waits until the page has connected for it. */
async function prepareCall(page: Page): Promise<void> {
  await page.goto('/call')
  const connected = page.waitForEvent('websocket', socket => socket.url().includes('/exchange/signal'))
  await page.getByRole('textbox', { name: 'Phone number' }).fill('2125550100')
  await (await connected).waitForEvent('framereceived')
}

/** As when a device wakes: the time has passed, and no timer has run. */
async function sleep(page: Page, ms: number): Promise<void> {
  const nowMs = await page.evaluate(() => Date.now())
  await page.clock.setSystemTime(nowMs + ms)
}

const sleeps = [
  { where: 'overnight, its timers asleep,', ms: nightMs, pass: sleep },
  {
    where: 'overnight, its timers all due at once,',
    ms: nightMs,
    pass: (page: Page, ms: number) => page.clock.fastForward(ms),
  },
  { where: 'while the phone slept for a minute', ms: minuteMs, pass: sleep },
]
for (const { where, ms, pass } of sleeps)
  test(`a page left open ${where} places a call at the first press`, async ({ page, farline, network }) => {
    await page.clock.install({ time: await farline.now() })
    await signUpWithCredit(page, farline)
    await prepareCall(page)
    const alerts = await listenToAlerts(page)
    const answers: string[] = []
    page.on('response', response => answers.push(`${new URL(response.url()).pathname} ${response.status()}`))

    // No router remembers the sockets; after a night both tokens are out of date, too.
    network.forget()
    await farline.leap(ms)
    await pass(page, ms)
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await expectInCall(page)
    await expectTone(page)
    expect(await alerts()).toEqual([])
    expect(answers).toContain('/api/token 200')
    if (ms === nightMs) expect(answers).toContain('/api/auth/refresh-token 200')

    const [callId = ''] = await farline.liveCalls()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expectCallOver(page, farline, callId, { charges: [20_000], balance: 'Balance: $4.98' })
  })
