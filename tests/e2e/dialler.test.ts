// @covers src/islands/dialler src/islands/dialler/number
import type { Locator, Page } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

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

test('a risky number gets its caution and may be called; who dials for help is shown a telephone that can', async ({
  page,
}) => {
  await signUp(page)
  const caution = alert(page, 'Caution: This number may be blocked or fail to connect.')
  await numberField(page).pressSequentially('8765550133', { delay: 60 })
  await expect(caution).toBeVisible()
  const call = page.getByRole('button', { name: 'Call', exact: true })
  await expect(call).toBeEnabled()
  await numberField(page).fill(demoLine)
  await expect(caution).toHaveCount(0)

  await numberField(page).fill('911')
  await expect(alert(page, /does not support calling emergency services/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Use a phone' })).toHaveAttribute('href', 'tel:911')
  await expect(call).toHaveCount(0)
  await expect(page.getByRole('button', { name: '+ Save this number' })).toHaveCount(0)
  await numberField(page).fill('2')
  await expect(page.getByRole('link', { name: 'Use a phone' })).toHaveCount(0)
  expect(await isGreen(call)).toBe(true)
  await numberField(page).fill('9002345678')
  await expect(page.getByText("We don't call premium-rate numbers.")).toBeVisible()
  await expect(call).toHaveAttribute('aria-disabled', 'true')
  await expect(call).toHaveAccessibleDescription(/premium-rate/)
  expect(await isGreen(call)).toBe(false)
  await expect(page.getByRole('button', { name: '+ Save this number' })).toHaveCount(0)
})

test('a typed prefix shows its country until it is cleared; the next visit begins with the country called', async ({
  page,
}) => {
  await signUp(page)
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await numberField(page).pressSequentially('+91')
  await expect(country(page)).toHaveAccessibleName('Country: India +91')
  await numberField(page).fill('')
  await expect(country(page)).toHaveAccessibleName('Country: United States +1')
  await numberField(page).fill('0044')
  await expect(country(page)).toHaveAccessibleName('Country: United Kingdom +44')
  await numberField(page).fill('')
  await country(page).click()
  await page.keyboard.type('Philipines')
  await page.keyboard.press('Enter')
  await expect(country(page)).toHaveAccessibleName('Country: Philippines +63')
  await page.reload()
  await expect(country(page)).toHaveAccessibleName('Country: Philippines +63')
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

test('a user who switches off typing anywhere types into the field alone, before a call and in it', async ({
  page,
  farline,
}) => {
  await signUp(page, { at: '/profile' })
  await page.getByRole('switch', { name: 'Type digits anywhere on the page' }).uncheck()
  await page.goto('/call')
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await page.keyboard.type('44')
  await numberField(page).fill(demoLine)
  await page.getByText('Free Call Available').click()
  await page.keyboard.type('9')
  await expect(numberField(page)).toHaveValue(demoLine)
  await page.keyboard.press('Enter')
  await expect(inCall(page)).toBeVisible()
  const [callId = ''] = await farline.liveCalls()
  await page.keyboard.type('7')
  await page.getByRole('button', { name: 'Keypad' }).click()
  await page.getByRole('textbox', { name: 'Digits to send' }).pressSequentially('5')
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe('5')
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
