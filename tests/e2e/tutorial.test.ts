// @covers src/islands/dialler/tutorial
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { logIn, newAddress, signUp } from '#support/people.ts'

const tutorial = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => tutorial(page).getByRole('button', { name, exact: true }).click()
const numberField = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
/** Long after a tutorial would have come. */
const afterwards = (page: Page) => page.waitForTimeout(1500)

for (const [width, tag] of [
  [390, []],
  [1280, ['@full']],
] as const) {
  test(`a new user is led through their first call in four steps, ${width} px wide`, {
    tag: [...tag],
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await signUp(page, { email: newAddress('learner'), newHere: true })

    await expect(tutorial(page)).toBeVisible()
    await expect(tutorial(page).getByText('Step 1 of 4')).toBeVisible()
    await expect(tutorial(page).getByRole('listitem')).toHaveText([
      /^Choose Country/,
      /^Enter Number/,
      /^Make Call/,
    ])
    await expect(tutorial(page).getByRole('button', { name: 'Back' })).toHaveCount(0)
    await expect(tutorial(page).getByRole('heading')).toBeFocused()
    await press(page, 'Next')

    await expect(tutorial(page).getByText('Step 2 of 4')).toBeVisible()
    await expect(tutorial(page).getByRole('status').filter({ hasText: 'Selected:' })).toContainText(
      '🇺🇸 United States +1',
    )
    const search = tutorial(page).getByPlaceholder('Search countries...')
    await expect(search).toBeFocused()
    // The dialler behind it has the same list, and a screen reader follows ids.
    const ids = await page.locator('[id]').evaluateAll(elements => elements.map(({ id }) => id))
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    await search.fill('44')
    await expect(tutorial(page).getByRole('option').first()).toHaveText(/United Kingdom.*\+44/)
    await search.fill('ind')
    await tutorial(page)
      .getByRole('option', { name: /^India/ })
      .click()
    await expect(tutorial(page).getByRole('status').filter({ hasText: 'Selected:' })).toContainText(
      '🇮🇳 India +91',
    )
    await press(page, 'Next')

    await expect(tutorial(page).getByText('Step 3 of 4')).toBeVisible()
    const number = tutorial(page).getByRole('textbox')
    await expect(number).toBeFocused()
    await expect(tutorial(page).getByRole('listitem')).toHaveText([
      'Remove leading zeros',
      'Do not repeat the country code',
      'Mobile numbers work best',
    ])
    const next = tutorial(page).getByRole('button', { name: 'Next' })
    await number.pressSequentially('98a7-65 4')
    await expect(number).toHaveValue('987654')
    await expect(next).toBeDisabled()
    await number.press('Enter')
    await number.pressSequentially('3')
    await expect(next).toBeEnabled()
    await number.pressSequentially('210')
    await expect(tutorial(page).getByText('We will dial')).toHaveText('We will dial +91 98765 43210')
    await number.press('Enter')

    await expect(tutorial(page).getByText('Step 4 of 4')).toBeVisible()
    await expect(tutorial(page).getByRole('heading')).toBeFocused()
    await expect(tutorial(page).getByText('+91 98765 43210')).toBeVisible()
    await expect(tutorial(page).getByText('India', { exact: true })).toBeVisible()
    await expect(tutorial(page).getByText('the green call button')).toBeVisible()
    await press(page, 'Back')
    await expect(tutorial(page).getByRole('textbox')).toHaveValue('9876543210')
    await press(page, 'Next')
    await press(page, 'Done')

    await expect(tutorial(page)).toHaveCount(0)
    await expect(numberField(page)).toHaveValue('9876543210')
    await expect(page.getByRole('button', { name: 'Country: India +91' })).toBeVisible()
    await expect(page.getByText('+91 98765 43210')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeEnabled()

    await page.reload()
    await expect(page.getByText('Free Call Available')).toBeVisible()
    await afterwards(page)
    await expect(tutorial(page)).toHaveCount(0)
  })
}

test('skipped, or closed by its cross or Escape, it leaves the dialler as it was and does not come again', async ({
  page,
}) => {
  await signUp(page, { email: newAddress('hurried'), newHere: true })
  for (const leave of [
    () => press(page, 'Skip tutorial'),
    () => press(page, 'Close'),
    () => page.keyboard.press('Escape'),
  ]) {
    await press(page, 'Next')
    await tutorial(page)
      .getByRole('option', { name: /^India/ })
      .click()
    await leave()
    await expect(tutorial(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Country: United States +1' })).toBeFocused()
    await expect(numberField(page)).toHaveValue('')
    await page.reload()
    await expect(page.getByText('Free Call Available')).toBeVisible()
    await afterwards(page)
    await expect(tutorial(page)).toHaveCount(0)
    // As in a browser that has not seen it.
    await page.evaluate(() => localStorage.removeItem('wizardPreferences'))
    await page.reload()
  }
})

test('appears neither for a visitor nor for a user who has called from another browser', {
  tag: '@core',
}, async ({ page, browser, baseURL }) => {
  await page.goto('/call')
  await expect(page.getByText('First call free')).toBeVisible()
  await afterwards(page)
  await expect(tutorial(page)).toHaveCount(0)

  const email = await signUp(page)
  await numberField(page).fill('2125550100')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()

  const elsewhere = await browser.newContext({ ...(baseURL && { baseURL }) })
  const there = await elsewhere.newPage()
  await logIn(there, email, { newHere: true })
  await expect(there.getByText('Free Call Available')).toBeVisible()
  await afterwards(there)
  await expect(tutorial(there)).toHaveCount(0)
  await elsewhere.close()
})

test('no step keeps anybody out, in both themes, on a phone and at a desk', async ({ page }) => {
  await signUp(page, { email: newAddress('careful'), newHere: true })
  for (const step of [1, 2, 3, 4]) {
    await expect(tutorial(page).getByText(`Step ${step} of 4`)).toBeVisible()
    expect(await violationsEverywhere(page)).toEqual([])
    if (step === 3) await tutorial(page).getByRole('textbox').fill('2125550100')
    // By the keyboard: a pointer that rests on a button shows its other colours.
    if (step < 4) await tutorial(page).getByRole('button', { name: 'Next' }).press('Enter')
  }
})
