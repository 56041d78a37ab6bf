// @covers src/shared/real-time-text
// @real-time
import type { Page } from 'playwright/test'
import { expectInCall } from '#support/bad-line.ts'
import { expect, badLineTest as test } from '#support/e2e.ts'
import { openHandset } from '#support/handset.ts'
import { dial, signUp } from '#support/people.ts'

const number = { typed: '+91 98765 43210', e164: '+919876543210' }
/** What the handset shows of a caller without a caller ID. */
const callerShown = '+44 20 7946 0000'

/** @returns the handset, and the caller's address */
async function holdCall(page: Page) {
  const email = await signUp(page)
  const handset = await openHandset(page, number.typed)
  await dial(page, number.e164)
  await handset.getByRole('button', { name: 'Answer' }).click()
  await expect(handset.getByText('Digits heard')).toBeVisible()
  await expectInCall(page)
  return { handset, email }
}

const fieldOf = (page: Page) => page.getByRole('textbox', { name: /^Type to / })
const conversationOf = (page: Page) => page.getByRole('group', { name: /^Text with / })

test('two people type to each other in a call, through a dropped socket, and nothing of it is kept', {
  tag: '@core',
}, async ({ page, farline, network }) => {
  const { handset, email } = await holdCall(page)

  await page.getByRole('button', { name: 'Type' }).click()
  await expect(fieldOf(page)).toBeFocused()
  await expect(page.getByText('They see each letter as you type. We keep nothing.')).toBeVisible()
  await page.keyboard.type('My PIM')

  // The other page has not opened its pane: a note shows what comes.
  await expect(handset.getByText('My PIM')).toBeVisible()
  await expect(handset.getByRole('status').filter({ hasText: "They're typing to you." })).toBeAttached()
  await handset.getByRole('button', { name: 'Read' }).click()
  await expect(fieldOf(handset)).toBeFocused()

  await page.keyboard.press('Backspace')
  await page.keyboard.type('N is 4829')
  await expect(conversationOf(handset)).toContainText('My PIN is 4829')
  await handset.keyboard.type('Thank you')
  await expect(conversationOf(page)).toContainText('Thank you')
  await expect(conversationOf(page)).toContainText(number.typed)
  await expect(conversationOf(handset)).toContainText(callerShown)
  await page.keyboard.press('Enter')
  await expect(fieldOf(page)).toHaveValue('')
  await expect(conversationOf(page)).toContainText('My PIN is 4829')

  // What is typed while the connection is away follows once it is back, once and in order.
  const noticed = page.waitForEvent('websocket')
  expect(network.dropSignalling()).toBeGreaterThan(0)
  await page.keyboard.type('Still')
  await noticed
  await page.keyboard.type(' here')
  await expect(conversationOf(handset)).toContainText('Still here')
  await expect(handset.getByText('StillStill')).toHaveCount(0)

  // The run fails if a server's log holds a password that a story typed.
  const password = 'tulips in the blue tin'
  await page.keyboard.press('Enter')
  await page.keyboard.insertText(password)
  await expect(conversationOf(handset)).toContainText(password)

  // A screen reader hears whole phrases. One that a lost connection cut in two may be said as two.
  await expect(handset.getByText(password).and(handset.locator('[aria-live=polite] *'))).toBeAttached()

  // No key of the pane became a tone.
  await handset.getByRole('button', { name: 'Close text' }).click()
  await expect(handset.getByRole('button', { name: 'Type' })).toBeFocused()
  await expect(handset.getByRole('log')).toHaveText('')

  await expect(page.getByRole('button', { name: 'Hang up' })).toBeInViewport()
  await page.getByRole('button', { name: 'Hang up' }).click()
  const left = page.getByRole('region', { name: 'Text from this call' })
  await expect(left).toContainText('My PIN is 4829')
  await expect(left).toContainText('Thank you')
  // The receipt comes a moment later, with the text still in it.
  await expect(page.getByRole('link', { name: 'Print receipt' })).toBeVisible()
  await expect(left).toContainText('Still here')
  await expect(left).toContainText('We keep none of this. Copy what you need before you close it.')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await left.getByRole('button', { name: 'Copy text' }).click()
  await expect(left.getByText('Copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `You: My PIN is 4829\n${number.typed}: Thank you\nYou: Still here\nYou: ${password}`,
  )
  await expect(handset.getByRole('region', { name: 'Text from this call' })).toContainText('Still here')

  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(left).toHaveCount(0)

  await expect.poll(() => farline.liveCalls()).toEqual([])
  expect(await farline.tablesWith(email)).toContain('app_user')
  expect(await farline.tablesWith(password)).toEqual([])
})

for (const width of [390, 1280])
  test(`whoever types on as the call ends calls nobody and loses nothing, ${width} px`, async ({
    page,
    farline,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const { handset } = await holdCall(page)
    await page.getByRole('button', { name: 'Type' }).click()
    await page.keyboard.type('See you')
    await expect(handset.getByText('See you')).toBeVisible()
    await handset.getByRole('button', { name: 'Hang up' }).click()
    const left = page.getByRole('region', { name: 'Text from this call' })
    await expect(left).toContainText('See you')
    await page.keyboard.type(' on 4 May ')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    // The receipt stands in the same place a moment later.
    await expect(page.getByRole('link', { name: 'Print receipt' })).toBeVisible()
    await page.keyboard.type(' 7 ')
    await page.keyboard.press('Enter')
    await expect(left).toContainText('See you')
    await expect(page.getByText('Call Disconnected')).toBeVisible()
    expect(await farline.liveCalls()).toEqual([])
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue('+919876543210')
  })

test('text waits behind the keypad, whose digits stay digits', async ({ page, farline }) => {
  const { handset } = await holdCall(page)
  const [callId = ''] = await farline.liveCalls()
  await page.getByRole('button', { name: 'Type' }).click()
  await page.getByRole('button', { name: 'Keypad' }).click()
  await page.keyboard.type('5')
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe('5')
  await handset.getByRole('button', { name: 'Type' }).click()
  await handset.keyboard.type('Wait')
  await page.getByRole('button', { name: 'Read' }).click()
  await expect(conversationOf(page)).toContainText('Wait')
  await expect(fieldOf(page)).toBeFocused()
})

test('a call to a telephone offers no text', { tag: '@core' }, async ({ page }) => {
  await signUp(page)
  await dial(page, '+1 212 555 0100')
  await expectInCall(page)
  await expect(page.getByText(/so far|Your free call|Free/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mute', exact: true })).toBeEnabled()
  await expect(page.getByRole('button', { name: 'Type' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Hang up' }).click()
})

test('text stands in its own direction, and keeps Hang up in view on a small screen', {
  tag: '@full',
}, async ({ page }) => {
  const { handset } = await holdCall(page)
  for (const side of [page, handset]) await side.setViewportSize({ width: 320, height: 568 })
  await handset.getByRole('button', { name: 'Type' }).click()
  await handset.keyboard.type('مرحبا، كيف حالك؟')
  await page.getByRole('button', { name: 'Read' }).click()
  const line = conversationOf(page).getByText('مرحبا، كيف حالك؟')
  await expect(line).toHaveCSS('direction', 'rtl')
  for (let count = 1; count <= 12; count += 1) {
    await page.keyboard.type(`Line ${count} of a long letter`)
    await page.keyboard.press('Enter')
  }
  await expect(conversationOf(handset)).toContainText('Line 12')
  await expect(conversationOf(page).getByText('Line 12')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Hang up' })).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})
