// @covers src/islands/dialler/caller-id src/shared/caller-ids server/calls/caller-ids
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expectInCall } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { openHandset } from '#support/handset.ts'
import { dial, signUp } from '#support/people.ts'

const callee = '+91 98765 43212'

let numbers = 0
/** A mobile number of Ofcom's drama range that no other test claims. */
function newNumber(): { typed: string; e164: string } {
  numbers += 1
  const last = String(600 + numbers)
  return { typed: `+44 7700 900${last}`, e164: `+447700900${last}` }
}

const selector = (page: Page) => page.getByLabel('Call from')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Verify Caller ID' })

async function openDialog(page: Page): Promise<void> {
  await selector(page).focus()
  await selector(page).selectOption('Add Caller ID')
}

async function askFor(page: Page, number: string): Promise<void> {
  if (!(await dialog(page).isVisible())) await openDialog(page)
  await dialog(page).getByLabel('Your number, with country code').fill(number)
  await dialog(page).getByRole('button', { name: 'Verify number' }).click()
}

/** The code on the screen, once it is there. */
async function readCode(page: Page): Promise<string> {
  await expect(dialog(page).getByText('We will call you shortly. Enter the code when asked.')).toBeVisible()
  const code = dialog(page).getByText(/^\d{3} \d{3}$/)
  await expect(code).toBeVisible()
  return (await code.innerText()).replace(' ', '')
}

async function keyIn(handset: Page, digits: string): Promise<void> {
  await expect(handset.getByText('Digits heard')).toBeVisible()
  for (const digit of digits)
    await handset.getByRole('button', { name: new RegExp(`^${digit}( |$)`) }).click()
}

test('a number is verified by its code, shown by calls, remembered, and removed', async ({
  page,
  farline,
}) => {
  await signUp(page)
  const { typed, e164 } = newNumber()
  await expect(selector(page).getByRole('option')).toHaveText(['Public number', 'Add Caller ID'])
  const phone = await openHandset(page, typed)

  await openDialog(page)
  await expect(dialog(page).getByLabel('Your number, with country code')).toBeFocused()
  await askFor(page, e164.slice(1))
  await expect(
    dialog(page).getByText('Enter a valid phone number with country code. Example: +447123456789'),
  ).toBeVisible()
  await askFor(page, typed)
  const code = await readCode(page)
  await expect(dialog(page).getByText(`Calling ${typed}…`)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Close' }).last()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(selector(page)).toBeFocused()
  await openDialog(page)
  expect(await readCode(page)).toBe(code)
  await phone.getByRole('button', { name: 'Answer' }).click()
  await expect(dialog(page).getByText('Answered. Listen for the prompt')).toBeVisible()
  // Not this one: we ask again.
  await keyIn(phone, code === '111111' ? '222222' : '111111')
  await expect(dialog(page).getByText("That wasn't the code.")).toBeVisible()
  await keyIn(phone, code)
  await expect(phone.getByText(/They hung up\./)).toBeVisible()

  await expect(page.getByText('Number successfully verified!')).toBeVisible({ timeout: 15_000 })
  await expect(dialog(page)).toBeHidden()
  await expect(selector(page)).toBeFocused()
  await expect(selector(page).locator('option:checked')).toHaveText(typed)
  await expect(selector(page).getByRole('option')).toHaveText(['Public number', typed, 'Add Caller ID'])

  const friend = await openHandset(page, callee)
  await dial(page, callee)
  await expect(friend.getByText(typed, { exact: true }).first()).toBeVisible()
  await friend.getByRole('button', { name: 'Answer' }).click()
  await expectInCall(page)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect.poll(() => farline.liveCalls()).toEqual([])

  await page.reload()
  await expect(selector(page).locator('option:checked')).toHaveText(typed)
  await page.getByRole('button', { name: `Remove ${typed} from your caller IDs` }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(page.getByRole('button', { name: `Remove ${typed} from your caller IDs` })).toBeFocused()
  await page.getByRole('button', { name: `Remove ${typed} from your caller IDs` }).click()
  const remove = page.getByRole('button', { name: 'Remove', exact: true })
  await page.route('**/api/caller-id/*', route => route.abort())
  await remove.click()
  await expect(page.getByText('Failed to remove this caller ID. Please try again.')).toBeVisible()
  await page.unrouteAll()
  await remove.click()
  await expect(page.getByText('Caller ID removed')).toBeVisible()
  await expect(selector(page).getByRole('option')).toHaveText(['Public number', 'Add Caller ID'])
  await expect(selector(page)).toBeFocused()
  await page.reload()
  await expect(selector(page).getByRole('option')).toHaveText(['Public number', 'Add Caller ID'])
})

test('a call into the EEA with a number from outside it shows its own price first, and the receipt has it', async ({
  page,
}) => {
  await signUp(page)
  const { typed } = newNumber()
  const phone = await openHandset(page, typed)
  await askFor(page, typed)
  const code = await readCode(page)
  await phone.getByRole('button', { name: 'Answer' }).click()
  await keyIn(phone, code)
  await expect(page.getByText('Number successfully verified!')).toBeVisible({ timeout: 15_000 })

  const german = '+49 1512 3456789'
  const friend = await openHandset(page, german)
  await page.getByRole('textbox', { name: 'Phone number' }).fill(german.replaceAll(' ', ''))
  const adds = page.getByText('Your own number adds $0.266 a minute there. Public number: $0.023.')
  await expect(adds).toBeVisible()
  await expect(page.getByText('$0.289', { exact: true })).toBeVisible()
  await selector(page).selectOption('Public number')
  await expect(page.getByText('$0.023', { exact: true })).toBeVisible()
  await expect(adds).toBeHidden()
  await selector(page).selectOption(typed)
  await expect(page.getByText('$0.289', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(friend.getByText(typed, { exact: true }).first()).toBeVisible()
  await friend.getByRole('button', { name: 'Answer' }).click()
  await expectInCall(page)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await page.goto('/call-history')
  await page
    .getByRole('link', { name: /receipt/i })
    .first()
    .click()
  await expect(
    page.getByText('1 minute at $0.289 a minute, $0.266 of that for showing your own number'),
  ).toBeVisible()
})

test('does not show a number that this user has not verified, whatever the page says', async ({ page }) => {
  await signUp(page)
  const { e164 } = newNumber()
  await expect(page.getByText('Free Call Available')).toBeVisible()
  const me = page.waitForResponse('**/api/protected/me')
  await page.reload()
  const { id } = await (await me).json()
  // The list does not come, so the page cannot know better than what was remembered.
  await page.route('**/api/caller-id/verified', route => route.abort())
  await page.evaluate(choice => localStorage.setItem('callFrom', JSON.stringify(choice)), {
    userId: id,
    number: e164,
  })
  await page.reload()
  await expect(selector(page)).toHaveValue(e164)
  await dial(page, '+1 212 555 0100')
  await expect(
    page.getByText("That caller ID isn't verified for your account. Choose another one."),
  ).toBeVisible()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
})

test('a phone that is declined leaves the number unverified, and a second call has to wait', async ({
  page,
}) => {
  await signUp(page)
  const { typed } = newNumber()
  const phone = await openHandset(page, typed)
  await askFor(page, typed)
  await readCode(page)
  await phone.getByRole('button', { name: 'Decline' }).click()
  await expect(phone.getByText('You declined the call.')).toBeVisible()
  await expect(dialog(page).getByText('The call was declined. We can call again in a minute.')).toBeVisible()
  await expect(dialog(page).getByText('2 of 3 attempts left today.')).toBeVisible()
  await expect(dialog(page).getByLabel('Your number, with country code')).toHaveValue(typed)
  await expect(dialog(page).getByRole('button', { name: 'Call again' })).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
  await page.reload()
  await expect(selector(page).getByRole('option')).toHaveText(['Public number', 'Add Caller ID'])
  await askFor(page, typed)
  await expect(dialog(page).getByText(/Try again in \d+ seconds\./)).toBeVisible()
  await expect(dialog(page).getByLabel('Your number, with country code')).toHaveValue(typed)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(selector(page)).toBeFocused()
})

test('a call that nobody answers says so, with the attempts left', async ({ page, farline }) => {
  await signUp(page)
  const { typed } = newNumber()
  await openHandset(page, typed)
  await openDialog(page)
  await expect(dialog(page).getByText('3 of 3 attempts left today.')).toBeVisible()
  await askFor(page, typed)
  await readCode(page)
  await farline.advance(30_000)
  await expect(dialog(page).getByText(/^Nobody answered\. We can call again/)).toBeVisible()
  await expect(dialog(page).getByText('2 of 3 attempts left today.')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Call again' })).toBeVisible()
})

test('a request without an answer keeps the number; one that we reject leads to support with what happened', async ({
  page,
}) => {
  await signUp(page)
  const { typed } = newNumber()
  await page.route('**/api/caller-id/request-verification', route => route.abort())
  await askFor(page, typed)
  await expect(dialog(page).getByText('Could not start verification.')).toBeVisible()
  await expect(dialog(page).getByLabel('Your number, with country code')).toHaveValue(typed)
  expect(await violationsEverywhere(page)).toEqual([])
  await page.unrouteAll()

  const rejection = "We can't verify this number for your account. Contact support for help."
  // The local exchange verifies every number; only the carrier rejects some.
  await page.route('**/api/caller-id/request-verification', route =>
    route.fulfill({ status: 409, json: { error: { code: 'not_verifiable', message: rejection } } }),
  )
  await askFor(page, typed)
  await expect(dialog(page).getByText(rejection)).toBeVisible()
  await dialog(page).getByRole('link', { name: 'Contact support' }).click()
  await expect(page.getByLabel('About')).toHaveValue('own_number')
  await expect(page.getByLabel('Message')).toHaveValue(`The page said: "${rejection}"\n`)
})

test('a visitor who wants to add a caller ID is sent to register', async ({ page }) => {
  await page.goto('/call')
  await selector(page).selectOption('Add Caller ID')
  await page.waitForURL('**/register')
  await expect(page.getByText('Sign up to add a caller ID')).toBeVisible()
})
