import type { Locator, Page } from 'playwright/test'
import { listenToAlerts } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'

const demoLine = '2125550100'
const inCall = (page: Page) => page.getByText('In Call', { exact: true })
const numberField = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
const country = (page: Page) => page.getByRole('button', { name: /^Country: / })
const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

const dot = (page: Page, status: string) => page.getByRole('status').filter({ hasText: status }).locator('i')
/** Whether something has the green of calls. */
async function isGreen(part: Locator): Promise<boolean> {
  const ground = await part.evaluate(element => getComputedStyle(element).backgroundColor)
  const [red = 0, green = 0, blue = 0] = (ground.match(/[\d.]+/g) ?? []).map(Number)
  return green > red + 40 && green > blue + 40
}

/** Somebody whose free call is used up and who has so many dollars left. */
async function signUpWithCredit(page: Page, farline: TestServer, usd: string): Promise<string> {
  const email = await signUp(page)
  await farline.admin('credit', email, usd, '--reason', 'an end-to-end test')
  await dial(page, demoLine)
  await expect(inCall(page)).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/^Balance: /)).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
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

test('a risky number gets its caution once typing stops, and may be called', async ({ page }) => {
  await signUp(page)
  const caution = alert(page, 'Caution: This number may be blocked or fail to connect.')
  await numberField(page).pressSequentially('8765550133', { delay: 60 })
  await expect(caution).toBeVisible()
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeEnabled()
  await numberField(page).fill(demoLine)
  await expect(caution).toHaveCount(0)
})

test('calls an expensive range only after its price was read and accepted', async ({ page, farline }) => {
  await signUpWithCredit(page, farline, '20')
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
})

test('shows a user who dials for help the way to a telephone that can', async ({ page }) => {
  await signUp(page)
  await dial(page, '911')
  await expect(alert(page, /does not support calling emergency services/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Phone 911' })).toHaveAttribute('href', 'tel:911')
  await numberField(page).fill('2')
  await expect(page.getByRole('link', { name: 'Phone 911' })).toHaveCount(0)
})

test('an account restricted in a call is hung up, learns why, and can no longer call', async ({
  page,
  farline,
}) => {
  const email = await signUpWithCredit(page, farline, '5')
  await dial(page, demoLine)
  await expect(inCall(page)).toBeVisible()
  await farline.restrict(email)
  const banner = alert(page, 'Your account has been restricted from making calls. Contact support for help.')
  await expect(banner).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  expect(await farline.liveCalls()).toEqual([])
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeDisabled()
  await page.reload()
  await expect(banner.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', '/support')
  await numberField(page).fill(demoLine)
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeDisabled()
})

test('a number typed, pasted or keyed anywhere on the page goes into its field, and Enter calls it', async ({
  page,
}) => {
  await signUp(page)
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await expect(page.getByPlaceholder('Enter phone number')).toHaveValue('')
  await page.keyboard.press('Enter')
  await page.keyboard.type('21255501009')
  await page.keyboard.press('Control+5')
  await page.keyboard.press('Backspace')
  await expect(numberField(page)).toHaveValue(demoLine)
  await page.getByRole('button', { name: 'Delete last digit' }).click()
  for (const key of ['* star', '0 +', '7 PQRS'])
    await page.getByRole('button', { name: key }).click({ force: true })
  await expect(numberField(page)).toHaveValue('21255501007')
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', '+1 (212) 555-0100')
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  })
  await expect(numberField(page)).toHaveValue('+12125550100')
  // What is typed into a dialog is the dialog's own.
  await country(page).click()
  await page.keyboard.type('44')
  await page.keyboard.press('Escape')
  await expect(country(page)).toBeFocused()
  await expect(numberField(page)).toHaveValue('+12125550100')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  expect(await isGreen(dot(page, 'Call Disconnected'))).toBe(false)
  await page.keyboard.press('Enter')
  await expect(inCall(page)).toBeVisible()
  expect(await isGreen(dot(page, 'In Call'))).toBe(true)
  await expect(page.getByRole('button', { name: 'Hang up' })).toBeFocused()
  await page.getByRole('button', { name: 'Hang up' }).click()
})

test('a country is found by its name or dial code, and its number dialled as people there write it', async ({
  page,
}) => {
  await page.route('**/flags/gb.svg', route => route.abort())
  await page.setViewportSize({ width: 320, height: 568 })
  await signUp(page)
  await expect(country(page)).toHaveAccessibleName('Country: United States +1')
  const picker = page.getByRole('dialog', { name: 'Choose a country' })
  await country(page).hover()
  await page.mouse.down()
  await expect(page.getByText('Choose a country')).toBeAttached()
  await expect(picker).toBeHidden()
  await page.mouse.up()
  await expect(picker.getByRole('option', { name: 'United States +1' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expect(picker.getByPlaceholder('Search countries...')).toBeFocused()
  await page.keyboard.type('atlantis')
  await expect(picker.getByText('No country matches. Try its name or dial code.')).toBeVisible()
  await picker.getByPlaceholder('Search countries...').fill('+44')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(picker).toHaveCount(0)
  await expect(country(page)).toBeFocused()
  await expect(country(page)).toHaveAccessibleName('Country: United Kingdom +44')
  await expect(country(page)).toContainText('🇬🇧')

  const place = async (name: string) => {
    const box = await page.getByRole('button', { name }).boundingBox()
    if (box === null) throw new Error(`${name} is not in sight`)
    return box
  }
  const { y: before } = await place('1')
  await numberField(page).fill('020 7946 0958')
  await expect(numberField(page)).toHaveValue('02079460958')
  const full = page.getByText('+44 20 7946 0958')
  await expect(full).toBeVisible()
  await expect(page.getByText(/^\$0\.\d{3} per minute, first 5 min free$/)).toBeVisible()
  // Nothing moved, and the link stands beside the number even here.
  await expect(page.getByRole('button', { name: '+ Save this number' })).toBeInViewport()
  const [{ y: after }, link, number] = [
    await place('1'),
    await place('+ Save this number'),
    await full.boundingBox(),
  ]
  expect(after).toBe(before)
  expect((number?.x ?? 0) + (number?.width ?? 0)).toBeLessThanOrEqual(link.x)
})

test('a call rejected at its start without a reason says what is usually missing', async ({
  page,
  farline,
}) => {
  // A carrier rejects so: with a code alone.
  await page.routeWebSocket(/\/exchange\/signal/, browser => {
    const server = browser.connectToServer()
    browser.onMessage(message => {
      const { type, payload } = /^\{/.test(String(message))
        ? JSON.parse(String(message))
        : { type: 'sign of life' }
      if (type !== 'invite') return server.send(message)
      const hangup = { callsid: payload.callsid, error: { code: 31002 } }
      browser.send(JSON.stringify({ type: 'hangup', version: '1.6', payload: hangup }))
    })
  })
  await signUp(page)
  await dial(page, demoLine)
  await expect(alert(page, 'Make sure your email is verified and you got enough credits')).toBeVisible()
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await expect(page.getByText('Free Call Available')).toBeVisible()
  expect(await farline.liveCalls()).toEqual([])
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

test('a microphone unplugged in a call: the page says so, and the next one is heard', async ({
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
      opened.push(...stream.getAudioTracks())
      return stream
    }
  })
  await signUp(page)
  await dial(page, demoLine)
  await expect(inCall(page)).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  // Opened once: some browsers ask each time.
  expect(await page.evaluate(() => (window as unknown as { opened: unknown[] }).opened.length)).toBe(1)
  const said = await listenToAlerts(page)
  await page.evaluate(() => {
    const track = (window as unknown as { opened: MediaStreamTrack[] }).opened.at(-1)
    track?.stop()
    track?.dispatchEvent(new Event('ended'))
  })
  await expect(page.getByText('Another microphone took over.')).toBeVisible()
  // The next one is there within a moment.
  expect((await said()).join()).toContain('No microphone: they cannot hear you.')
  await expect(inCall(page)).toBeVisible()
  await expect(page.getByText('Another microphone took over.')).toHaveCount(0)
  expect(await farline.liveCalls()).toEqual([callId])
  await page.getByRole('button', { name: 'Hang up' }).click()
})

test('5,000 digits pasted in a call: as many as a person can mean, in order, until cancelled', async ({
  page,
  farline,
}) => {
  await signUp(page)
  await dial(page, demoLine)
  await expect(inCall(page)).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
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
  await page.getByRole('button', { name: 'Hang up' }).click()
})

test.describe('a piece of the page that is gone after a deploy', () => {
  test('reloads the page once, then says so', async ({ page }) => {
    const logged: string[] = []
    let loads = 0
    page.on('console', message => logged.push(message.text()))
    page.on('load', () => {
      loads += 1
    })
    await page.route(/_astro\/phone[^/]*\.js/, route => route.fulfill({ status: 404, body: '' }))
    await page.goto('/call')
    await expect(page.getByText('A part of this page did not load. Check your connection.')).toBeVisible()
    expect(loads).toBe(2)
    expect(logged.join('\n')).toContain('A part of the page did not load.')
  })

  test('never reloads it in a call', async ({ page, farline }) => {
    await signUp(page)
    await dial(page, demoLine)
    await expect(inCall(page)).toBeVisible()
    await page.evaluate(() => {
      const reason = new TypeError('Failed to fetch dynamically imported module: /_astro/gone.js')
      dispatchEvent(new PromiseRejectionEvent('unhandledrejection', { promise: Promise.resolve(), reason }))
    })
    await page.waitForTimeout(1000)
    await expect(inCall(page)).toBeVisible()
    expect(await farline.liveCalls()).toHaveLength(1)
    await page.getByRole('button', { name: 'Hang up' }).click()
  })
})
