// @covers src/islands/dialler/test-call
import type { Page } from 'playwright/test'
import { violations } from '#support/axe.ts'
import { expectInCall } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { openHandset } from '#support/handset.ts'
import { signUp } from '#support/people.ts'

const own = { typed: '+44 7700 900871', e164: '+447700900871' }
const name = `Call ${own.typed} to see what shows`

/** Verifies a number by its code, keyed in on its telephone. */
async function verify(page: Page, phone: Page): Promise<void> {
  await page.getByLabel('Call from').selectOption('Add Caller ID')
  const dialog = page.getByRole('dialog', { name: 'Verify Caller ID' })
  await dialog.getByLabel('Your number, with country code').fill(own.typed)
  await dialog.getByRole('button', { name: 'Verify number' }).click()
  const code = (await dialog.getByText(/^\d{3} \d{3}$/).innerText()).replace(' ', '')
  await phone.getByRole('button', { name: 'Answer' }).click()
  await expect(phone.getByText('Digits heard')).toBeVisible()
  for (const digit of code) await phone.getByRole('button', { name: new RegExp(`^${digit}( |$)`) }).click()
  await expect(dialog).toBeHidden({ timeout: 15_000 })
}

/** Lets no request to such an address through before it is released. */
async function hold(page: Page, address: string): Promise<{ readonly release: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async route => {
    await promise
    await route.continue()
  })
  return { release: resolve }
}

test('a user calls their own number to see what shows, once a week, and keeps their free call', {
  tag: '@core',
}, async ({ page }) => {
  test.slow() // the number is verified by a call to it first
  await signUp(page)
  const phone = await openHandset(page, own.typed)
  await verify(page, phone)
  await expect(phone.getByText('Waiting for a call')).toBeVisible()

  // From the profile, with a question before anything rings.
  await page.goto('/profile')
  await page.getByRole('link', { name }).click()
  const dialog = page.getByRole('dialog', { name: 'Call my number' })
  await expect(
    dialog.getByText('Free once a week, for up to a minute, to numbers up to $0.50 a minute.'),
  ).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()

  // What the call needs comes late, and the server cannot be reached at first: the dialog says so, and continues from there.
  const rules = await hold(page, '**/_astro/number-rules*')
  await page.route('**/api/test-call', route => route.abort())
  await page.reload()
  await page.getByRole('button', { name: /^Call .* to see what shows$/ }).click()
  await expect(dialog.getByRole('alert')).toContainText("We can't reach the server.")
  await page.unroute('**/api/test-call')
  const turn = await hold(page, '**/api/test-call')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('button', { name: 'Checking…' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Checking…' })).toBeFocused()
  await expect(dialog.getByRole('alert')).toBeEmpty()
  turn.release()
  await dialog.getByRole('button', { name: 'Call my number' }).click()
  await expect(dialog.getByRole('button', { name: 'Calling…' })).toBeVisible()
  rules.release()
  await expect(phone.getByText(own.typed, { exact: true }).first()).toBeVisible()
  // Neither while it rings nor in it does the free call seem to be spent.
  await expect(page.getByText('Free test call')).toBeVisible()
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await expect(page.getByText('Your free call')).toHaveCount(0)
  await phone.getByRole('button', { name: 'Answer' }).click()
  await expectInCall(page)
  await expect(page.getByText('Free', { exact: true })).toBeVisible()
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/free test call/).first()).toBeVisible()
  await expect(page.getByText('Free Call Available')).toBeVisible()

  await page.goto('/call')
  await page.getByRole('button', { name }).click()
  await expect(dialog.getByText("You've used this week's test call.")).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Call my number' })).toBeHidden()
  await page.goto('/call-history')
  const row = page.getByRole('row').filter({ hasText: own.typed })
  await expect(row).toContainText('Free')
  await expect(row).toContainText('Test call')
})
