// @covers src/shared/numbers src/lib/numbers
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { signUp } from '#support/people.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
const extension = (page: Page) => page.getByRole('textbox', { name: 'Extension' })
const country = (page: Page) => page.getByRole('button', { name: /^Country: / })
const phone = (page: Page) => page.getByRole('region', { name: 'Phone' })

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(pasted => {
    const data = new DataTransfer()
    data.setData('text/plain', pasted)
    const at = document.activeElement ?? document.body
    at.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)
}

async function topOf(page: Page, name: string): Promise<number> {
  return (await page.getByRole('button', { name, exact: true }).boundingBox())?.y ?? NaN
}

test('a tel: link opens filled in; its extension is saved with the contact and heard by whoever answers', {
  tag: '@core',
}, async ({ page, farline }) => {
  await signUp(page, { at: `/call?number=${encodeURIComponent('tel:+1-212-555-0123;ext=4321')}` })
  await expect(field(page)).toHaveValue('+12125550123')
  await expect(extension(page)).toHaveValue(',4321')
  await page.getByRole('button', { name: '+ Save this number' }).click()
  const form = page.getByRole('dialog', { name: 'Save Contact' })
  await expect(form).toContainText('Then ,4321 after the answer')
  await form.getByLabel('Contact Name').fill('Office')
  await page.keyboard.press('Enter')
  await expect(form).toBeHidden()
  await page.getByRole('button', { name: 'Remove the extension' }).click()
  await expect(extension(page)).toBeHidden()
  await expect(field(page)).toBeFocused()

  await page.goto('/call')
  await page.getByRole('button', { name: 'Contacts', exact: true }).click()
  const list = page.getByRole('dialog', { name: 'Your Contacts' })
  await expect(list.getByRole('listitem')).toContainText('+1 212 555 0123 ,4321')
  await list.getByText('Office').click()
  await page
    .getByRole('dialog', { name: 'Office' })
    .getByRole('button', { name: 'Enter this number' })
    .click()
  await expect(extension(page)).toHaveValue(',4321')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  const answered = performance.now()
  const [callId = ''] = await farline.liveCalls()
  await expect.poll(async () => (await farline.observe(callId))?.digits, { timeout: 15_000 }).toBe('4321')
  // The comma waits 2 s, and three digits follow the first 300 ms apart.
  expect(performance.now() - answered).toBeGreaterThan(2000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(extension(page)).toHaveValue(',4321')
})

for (const [width, tag] of [
  [390, []],
  [1280, ['@full']],
] as const) {
  test(`a number in a sentence shows its country, what it is and how one's own fares there, at ${width} px`, {
    tag: [...tag],
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await signUp(page)
    await expect(page.getByText('Free Call Available')).toBeVisible()
    const before = await topOf(page, '1')
    await paste(page, 'Call the office at +44 (0)20 7946 0958 x12, after five.')
    await expect(field(page)).toHaveValue('+442079460958')
    await expect(country(page)).toHaveAccessibleName('Country: United Kingdom +44')
    await expect(extension(page)).toHaveValue(',12')
    await expect(phone(page).getByText('+44 20 7946 0958')).toBeVisible()
    await expect(phone(page).getByText(', landline')).toBeVisible()
    await expect(phone(page).getByText(/^\d\d:\d\d there/)).toBeVisible()
    expect(await topOf(page, '1')).toBeCloseTo(before, 0)

    const forecast = page.getByRole('button', { name: 'Likely shown in United Kingdom. Why?' })
    await forecast.click()
    const why = page.getByRole('dialog', { name: 'What they see in United Kingdom' })
    await expect(why).toContainText("only affect that country's own numbers")
    await expect(why.getByRole('link', { name: /^Ofcom/ })).toBeVisible()
    expect(await violationsEverywhere(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(forecast).toBeFocused()

    // By keyboard: the extension is deleted, the number is cut short, and only then comes the message.
    await extension(page).focus()
    for (let left = 0; left < 3; left += 1) await page.keyboard.press('Backspace')
    await expect(extension(page)).toBeHidden()
    await expect(field(page)).toBeFocused()
    for (let left = 0; left < 3; left += 1) await page.keyboard.press('Backspace')
    // Half typed, the number is grouped; only after a pause does the page say that it is incomplete.
    await Promise.all([
      expect(phone(page).getByText('+44 20 7946', { exact: true })).toBeVisible(),
      page.keyboard.press('Backspace'),
    ])
    await expect(page.getByText('Too short so far')).toBeVisible()
    await page.keyboard.type('0958,')
    await expect(extension(page)).toBeFocused()
    await page.keyboard.type('7w8#')
    await expect(extension(page)).toHaveValue(',7,8#')
    await expect(field(page)).toHaveValue('+442079460958')
    await field(page).fill('+18005550199')
    await expect(country(page)).toHaveAccessibleName('Country: United States +1')
    await expect(
      page.getByText('Toll-free there only: you pay our rate, and it may reject calls from abroad.'),
    ).toBeVisible()
    expect(await topOf(page, '1')).toBeCloseTo(before, 0)
    expect(await violationsEverywhere(page)).toEqual([])

    // A country of many time zones: the area code decides.
    await field(page).fill('+18085550123')
    const honolulu = () =>
      new Date().toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: 'Pacific/Honolulu' })
    await expect
      .poll(async () => await phone(page).getByText(`${honolulu()} there`).count())
      .toBeGreaterThan(0)
  })
}
