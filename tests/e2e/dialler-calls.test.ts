// @covers src/islands/dialler/call
import type { Page } from 'playwright/test'
import { listenToAlerts } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'

const demoLine = '2125550100'
const inCall = (page: Page) => page.getByText('In Call', { exact: true })
const numberField = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

/** Somebody whose free call is used up and who has so many dollars left. */
async function signUpWithCredit(page: Page, farline: TestServer, usd: string): Promise<string> {
  const email = await signUp(page)
  await farline.credit(email, Number(usd))
  await dial(page, demoLine)
  await expect(inCall(page)).toBeVisible()
  // A shorter free call would stay free.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/^Balance: /)).toBeVisible()
  await page.getByRole('region', { name: 'Call ended' }).getByRole('button', { name: 'Close' }).click()
  return email
}

test('little credit: only the pill shows it between calls, a warning stands beside a charged call', async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline, '1.50')
  const warning = alert(page, 'Low credits! Call will end soon.')
  await expect(warning).toHaveCount(0)
  const buy = page.getByRole('region', { name: 'Phone' }).getByRole('link', { name: 'Buy Credits' })
  await expect(buy).toHaveAttribute('href', '/buy-credits')
  await dial(page, demoLine)
  await expect(warning).toBeVisible()
  await expect(page.getByText('Balance: $1.48')).toBeVisible()
  // Buying in this tab would hang up.
  await expect(buy).toHaveAttribute('target', '_blank')
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(warning).toHaveCount(0)
})

test('calls an expensive range only at an accepted price; restricted in a call, the account is hung up and learns why', async ({
  page,
  farline,
}) => {
  const email = await signUpWithCredit(page, farline, '20')
  await dial(page, '+2347027123456')
  const question = page.getByRole('dialog', { name: 'Confirm the price' })
  await expect(question).toContainText('$0.310 per minute')
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeFocused()
  expect(await farline.liveCalls()).toEqual([])
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await question.getByRole('button', { name: 'Call at this price' }).click()
  await expect(page.getByRole('button', { name: 'Hang up' })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect.poll(() => farline.liveCalls()).toEqual([])

  await dial(page, demoLine)
  await expect(inCall(page)).toBeVisible()
  await farline.restrict(email)
  const banner = alert(page, 'Your account has been restricted from making calls. Contact support for help.')
  await expect(banner).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  expect(await farline.liveCalls()).toEqual([])
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeDisabled()
  await page.reload()
  await expect(banner.getByRole('link', { name: 'Contact support' })).toHaveAttribute(
    'href',
    /^\/support#happened=Your\+account\+has\+been\+restricted/,
  )
  await numberField(page).fill(demoLine)
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeDisabled()
})

test('a page that is left in a call asks first; leaving ends the call and settles it', async ({
  page,
  farline,
}) => {
  await signUpWithCredit(page, farline, '5')
  await dial(page, demoLine)
  await expect(inCall(page)).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  const asked: string[] = []
  page.once('dialog', dialog => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  await page.evaluate(() => location.reload())
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await expect(inCall(page)).toBeVisible()
  expect(await farline.liveCalls()).toEqual([callId])
  page.once('dialog', dialog => void dialog.accept())
  await page.reload()
  await expect.poll(() => farline.liveCalls()).toEqual([])
  await expect(page.getByText('Balance: $4.98')).toBeVisible()
  // The page that loads next reports it as after any call, once.
  const summary = page.getByText(/^You hung up\. Talked \d:\d\d, charged \$0\.02\.$/)
  const receipt = page.getByRole('region', { name: 'Call ended' })
  await expect(summary).toBeVisible()
  await expect(receipt.locator('dt:text-is("Total") + dd')).toHaveText('$0.02')
  await page.reload()
  await expect(page.getByText('Balance: $4.98')).toBeVisible()
  await dial(page, demoLine)
  await expect(inCall(page)).toBeVisible()
  await expect(summary).toHaveCount(0)
  await expect(receipt).toHaveCount(0)
  await page.getByRole('button', { name: 'Hang up' }).click()
})

/** As many go as a person can mean, in order, until they are cancelled. */
async function pasteDigits(page: Page, farline: TestServer, callId: string): Promise<void> {
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', '1234567890'.repeat(500))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  })
  await expect(page.getByText(/^Sending \d+ of 200, 4800 left out$/)).toBeVisible()
  await expect.poll(async () => (await farline.observe(callId))?.digits.length).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText(/^Sending/)).toHaveCount(0)
  const sent = (await farline.observe(callId))?.digits ?? ''
  expect('1234567890'.repeat(20)).toContain(sent)
  await page.waitForTimeout(1000)
  expect(((await farline.observe(callId))?.digits.length ?? 0) - sent.length).toBeLessThanOrEqual(1)
}

test('5,000 digits pasted, a piece of the page gone and a microphone unplugged: the call goes on', async ({
  page,
  farline,
}) => {
  await page.addInitScript(() => {
    const opened: MediaStreamTrack[] = []
    Object.assign(window, { opened })
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async constraints => {
      const stream = await open(constraints)
      const [track] = stream.getAudioTracks()
      if (track === undefined) return stream
      if (opened.length > 0) Object.defineProperty(track, 'label', { value: 'Another microphone' })
      opened.push(track)
      return stream
    }
  })
  await signUp(page)
  await dial(page, demoLine)
  await expect(inCall(page)).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  await pasteDigits(page, farline, callId)

  // A reload would end the call.
  await page.evaluate(() => {
    const reason = new TypeError('Failed to fetch dynamically imported module: /_astro/gone.js')
    dispatchEvent(new PromiseRejectionEvent('unhandledrejection', { promise: Promise.resolve(), reason }))
  })
  await page.waitForTimeout(1000)
  await expect(inCall(page)).toBeVisible()
  expect(await farline.liveCalls()).toEqual([callId])

  // Opened once: some browsers ask each time.
  expect(await page.evaluate(() => (window as unknown as { opened: unknown[] }).opened.length)).toBe(1)
  const said = await listenToAlerts(page)
  await page.evaluate(() => {
    const track = (window as unknown as { opened: MediaStreamTrack[] }).opened.at(-1)
    track?.stop()
    track?.dispatchEvent(new Event('ended'))
  })
  await expect(page.getByText('Switched to another microphone.')).toBeVisible()
  // The next one is there within a moment.
  expect((await said()).join()).toContain("No microphone: they can't hear you.")
  await expect(inCall(page)).toBeVisible()
  await expect(page.getByText('Switched to another microphone.')).toHaveCount(0)
  expect(await farline.liveCalls()).toEqual([callId])
  await page.getByRole('button', { name: 'Hang up' }).click()
})

test('a piece of the page that is gone after a deploy reloads it once, then it says so', async ({ page }) => {
  const logged: string[] = []
  let loads = 0
  page.on('console', message => logged.push(message.text()))
  page.on('load', () => {
    loads += 1
  })
  await page.route(/_astro\/phone[^/]*\.js/, route => route.fulfill({ status: 404, body: '' }))
  await page.goto('/call')
  await expect(page.getByText("A part of this page didn't load. Check your connection.")).toBeVisible()
  expect(loads).toBe(2)
  expect(logged.join('\n')).toContain('A part of the page did not load.')
})
