// @covers src/pages src/ui
import type { Page } from 'playwright/test'
import { violations, violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { openHandset } from '#support/handset.ts'
import { blankPage, dial, saveNumber, signUp } from '#support/people.ts'

test('the pages of somebody who is signed in have nothing that keeps people out', async ({ page }) => {
  await signUp(page, { at: blankPage })
  for (const path of ['/call', '/call-history', '/buy-credits', '/profile', '/referrals', '/heard-about']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect(await violationsEverywhere(page)).toEqual([])
  }
})

const numberField = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
const inCall = (page: Page) => page.getByText('In Call', { exact: true })

/** By the keyboard: a pointer that rests on a button shows its other colours, which have a test of their own. */
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

/** Waits until the text is there, and then checks everything. */
async function expectFaultless(page: Page, text: string | RegExp): Promise<void> {
  await expect(page.getByText(text).first()).toBeVisible()
  expect(await violationsEverywhere(page), String(text)).toEqual([])
}

test('neither has any state of the phone before and after a call, nor its dialogs', async ({
  page,
  farline,
}) => {
  test.slow() // two dozen looks at the whole page
  await page.goto('/call')
  await expectFaultless(page, 'First call free')
  const email = await signUp(page)
  await saveNumber(page, '2125550112')
  await page.getByText('Contact saved!').hover()
  await expectFaultless(page, 'Contact saved!')
  // At another width the pointer may have left the toast, which then closes by itself.
  await page.mouse.move(0, 0)
  await expect(page.getByText('Contact saved!')).toBeHidden()

  await press(page, 'Country: United States +1')
  await expectFaultless(page, 'Choose a country')
  await page.getByRole('combobox', { name: 'Search countries' }).fill('zzz')
  await expectFaultless(page, 'No country matches.')
  await page.keyboard.press('Escape')

  await numberField(page).fill('2125550111')
  await expectFaultless(page, '+ Save this number')
  await numberField(page).fill('8765550133')
  await expectFaultless(page, 'Caution: This number may be blocked or fail to connect.')
  await numberField(page).fill('+999123456789')
  await expectFaultless(page, 'This destination is currently not supported.')
  await numberField(page).fill('911')
  await expectFaultless(page, 'Use a phone')

  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('No.', 'NotAllowedError'))
  })
  await dial(page, '2125550100')
  await press(page, 'How')
  await expectFaultless(page, 'Allow the microphone')
  await page.reload()

  await dial(page, '2125550100')
  await expect(inCall(page)).toBeVisible()
  // A shorter call would leave the free call, which asks for no price.
  await farline.advance(11_000)
  await press(page, 'Hang up')
  await expectFaultless(page, /Talked/)
  await farline.credit(email, 5)
  await dial(page, '+2347027123456')
  await expectFaultless(page, 'Confirm the price')
  await page.keyboard.press('Escape')
  await farline.restrict(email)
  await page.reload()
  await expectFaultless(page, 'Your account has been restricted from making calls.')
})

test('neither has any state of a call', async ({ page, farline }) => {
  const email = await signUp(page)
  await farline.credit(email, 1.5)
  await dial(page, '2125550102')
  await expectFaultless(page, 'Ringing')
  await press(page, 'Hang up')

  await dial(page, '2125550100')
  await expectFaultless(page, 'In Call')
  await press(page, 'Mute')
  await expectFaultless(page, "Muted. They can't hear you.")
  await press(page, 'Muted')
  await press(page, 'Keypad')
  await page.getByRole('textbox', { name: 'Digits to send' }).fill('1234567890'.repeat(12))
  await expectFaultless(page, /^Sending/)
  await press(page, 'Cancel')
  await press(page, 'Keypad')
  await farline.loseSound(true)
  await expectFaultless(page, /^Reconnecting/)
  await farline.loseSound(false)
  await expect(inCall(page)).toBeVisible()
  // A shorter call would leave the free call, which warns of no credits.
  await farline.advance(11_000)
  await press(page, 'Hang up')

  await dial(page, '2125550100')
  await expectFaultless(page, 'Low credits! Call will end soon.')
  await press(page, 'Hang up')
})

test('neither has the text that both sides type in a call, empty, filled and after the call', async ({
  page,
}) => {
  test.slow()
  await signUp(page)
  const handset = await openHandset(page, '+91 98765 43210')
  await dial(page, '+919876543210')
  await handset.getByRole('button', { name: 'Answer' }).click()
  await expect(inCall(page)).toBeVisible()
  await press(page, 'Type')
  await expectFaultless(page, 'They see each letter as you type. We keep nothing.')
  await page.keyboard.type('My PIN is 4829')
  await page.keyboard.press('Enter')
  await handset.getByRole('button', { name: 'Read' }).press('Enter')
  await handset.keyboard.type('Thank you')
  await expectFaultless(page, 'Thank you')
  await press(page, 'Hang up')
  await expectFaultless(page, 'Text from this call')
})

test('filled buttons can be read under the pointer, in both themes', async ({ page }) => {
  await page.goto('/call')
  await page.getByRole('main').getByRole('link', { name: 'Register' }).last().hover()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violations(page)).toEqual([])
  }
  await signUp(page)
  await page.mouse.move(0, 0)
  await dial(page, '2125550100')
  await expect(inCall(page)).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).hover()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violations(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'Hang up' }).click()
})
