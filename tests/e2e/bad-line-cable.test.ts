// @covers src/voice/interruption.ts
// @real-time
import { chromium, type WebSocket } from 'playwright/test'
import { callTone, expectCallOver, expectInCall, expectTone, signUpWithCredit } from '#support/bad-line.ts'
import { type Cable, layCable, whyNoCable } from '#support/bad-network-namespace.ts'
import { browserFlags } from '#support/browser-flags.ts'
import { test as base, expect } from '#support/e2e.ts'
import { listenToPage } from '#support/page-audio.ts'

const noCable = whyNoCable()
const reconnecting = /^(Reconnecting\. Stay on the line\.|We lost the connection\. Retrying\.)$/
const isSignalling = (socket: WebSocket) => socket.url().includes('/exchange/signal')
const seconds = (count: number) => new Promise(resolve => setTimeout(resolve, count * 1000))

/** The page's browser is at the far end of a cable, and the server receives sound at the near one. */
const test = base.extend<object, { cable: Cable }>({
  cable: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const cable = layCable()
      await use(cable)
      cable.remove()
    },
    { scope: 'worker' },
  ],
  environment: [
    async ({ cable }, use) =>
      use({ HOST: '0.0.0.0', DANGEROUSLY_EXPOSE_STAND_INS: 'yes', EXCHANGE_ADDRESS: cable.address }),
    { scope: 'worker' },
  ],
  baseURL: async ({ farline, cable }, use) => use(farline.url.replace('localhost', cable.address)),
  page: async ({ cable, baseURL }, use) => {
    if (baseURL === undefined) throw new Error('the page has no address')
    const browser = await chromium.launch({
      executablePath: cable.wrap(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'),
      // A page that is neither on localhost nor behind TLS has no microphone.
      args: [...browserFlags, `--unsafely-treat-insecure-origin-as-secure=${baseURL}`],
    })
    const context = await browser.newContext({ baseURL })
    await listenToPage(context)
    await use(await context.newPage())
    await browser.close()
  },
})
test.skip(noCable !== undefined, noCable)
test.setTimeout(240_000)

test('the cable is pulled for 20 s: the call continues', { tag: '@full' }, async ({
  page,
  farline,
  cable,
}) => {
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expectTone(page)
  cable.plug(false)
  await seconds(20)
  await expectInCall(page)
  await expect(page.getByText(reconnecting)).toBeVisible()
  cable.plug(true)
  await expectTone(page)
  await expect(page.getByText(reconnecting)).toHaveCount(0, { timeout: 30_000 })
  await expectInCall(page)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expectCallOver(page, farline, callId, { charges: [20_000], balance: 'Balance: $4.98' })
})

test('the cable is pulled for 60 s: the call ends on both sides and is settled', { tag: '@full' }, async ({
  page,
  farline,
  cable,
}) => {
  await signUpWithCredit(page, farline)
  await callTone(page, farline)
  await expectTone(page)
  cable.plug(false)
  await seconds(60)
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await expect(page.getByText('Connection to the service lost. Checking what was charged.')).toBeVisible()
  expect(await farline.liveCalls()).toEqual([])
  cable.plug(true)
  await expect(
    page.getByText(/Cut off: the connection was lost\. Talked 0:\d\d, charged \$0\.02\./),
  ).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByText('Balance: $4.98')).toBeVisible({ timeout: 30_000 })
  await callTone(page, farline)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $4.96')).toBeVisible({ timeout: 30_000 })
})

test('the address changes in a call, as from Wi-Fi to mobile: both ends hear again, and nothing is charged twice', async ({
  page,
  farline,
  cable,
}) => {
  let restarts = 0
  page.on('websocket', socket =>
    socket.on('framesent', ({ payload }) => {
      if (/"type":"reinvite"/.test(String(payload))) restarts += 1
    }),
  )
  await signUpWithCredit(page, farline)
  const callId = await callTone(page, farline)
  await expectTone(page)
  const received = async () => (await farline.observe(callId))?.received.packets ?? 0

  cable.changeAddress()
  const before = await received()
  await expect.poll(received, { timeout: 20_000 }).toBeGreaterThan(before + 50)
  await expectTone(page)
  await expect.poll(() => restarts).toBe(1)
  await expect(page.getByText(reconnecting)).toHaveCount(0, { timeout: 20_000 })
  await expectInCall(page)
  const prepared = page.waitForEvent('websocket', isSignalling)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expectCallOver(page, farline, callId, { charges: [20_000], balance: 'Balance: $4.98' })

  // And back to Wi-Fi, between two calls.
  await (await prepared).waitForEvent('framereceived')
  // A press before the page has noticed the change would call over the connection of the former address.
  const renewed = page.waitForEvent('websocket', { predicate: isSignalling, timeout: 30_000 })
  cable.changeAddress()
  await (await renewed).waitForEvent('framereceived')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expectInCall(page)
  await expectTone(page)
  const [secondId = ''] = await farline.liveCalls()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expectCallOver(page, farline, secondId, { charges: [20_000], balance: 'Balance: $4.96' })
})
