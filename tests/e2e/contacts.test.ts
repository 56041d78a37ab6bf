import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { saveNumber, signUp } from '#support/people.ts'

const number = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
const saveLink = (page: Page) => page.getByRole('button', { name: '+ Save this number' })
const contactsButton = (page: Page) => page.getByRole('button', { name: 'Contacts', exact: true })
const phone = (page: Page) => page.getByRole('region', { name: 'Phone' })
const column = (page: Page) => page.getByRole('complementary', { name: /^Contacts/ })
const list = (page: Page) => page.getByRole('dialog', { name: 'Your Contacts' })
const form = (page: Page) => page.getByRole('dialog', { name: 'Save Contact' })

/** The first-use wizard has its own stories. */
async function signUpWithoutWizard(page: Page) {
  await page.addInitScript(() => {
    localStorage.setItem('wizardPreferences', JSON.stringify({ hasSeenWizard: true }))
  })
  await signUp(page)
}

async function save(page: Page, digits: string, name: string) {
  await saveNumber(page, digits, name)
  await expect(form(page)).toBeHidden()
}

for (const width of [390, 1280]) {
  test(`a user saves numbers, finds one by name, enters it and deletes it, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    await signUpWithoutWizard(page)
    await expect(page.getByText('Free Call Available')).toBeVisible()
    await expect(saveLink(page)).toBeHidden()
    // On the way past it the list of countries is made ready: it lends no other dialog its name.
    await page.getByRole('button', { name: /^Country: / }).focus()
    await contactsButton(page).click()
    await expect(list(page)).toContainText('No saved contacts yet.')
    await page.keyboard.press('Escape')
    await expect(contactsButton(page)).toBeFocused()

    await number(page).fill('+442079460958')
    await saveLink(page).click()
    await form(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(saveLink(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(form(page)).toContainText('+44 20 7946 0958')
    await expect(form(page).getByLabel('Contact Name')).toBeFocused()
    await page.keyboard.type('   ')
    await page.keyboard.press('Enter')
    await expect(form(page)).toContainText('Enter a name for this contact.')
    await page.keyboard.type('Zoë, London ')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Contact saved!')).toBeVisible()
    await expect(form(page)).toBeHidden()
    await expect(contactsButton(page)).toBeFocused()
    await expect(saveLink(page)).toBeHidden()
    await save(page, '+12125550111', 'مریم')
    await save(page, '+919876543210', 'Anjali Rao')
    await number(page).fill('')
    await expect(saveLink(page)).toBeHidden()

    await contactsButton(page).click()
    const rows = list(page).getByRole('listitem')
    await expect(rows).toHaveText([/^Anjali Rao\+91 98765 43210/, /^Zoë, London\+44 20/, /^مریم\+1 212/])
    await list(page).getByRole('searchbox', { name: 'Search contacts' }).fill('zoe')
    await expect(rows).toHaveText([/^Zoë, London/])
    await list(page).getByRole('searchbox').fill('nobody')
    await expect(list(page)).toContainText('No contact has that name.')
    await list(page).getByRole('searchbox').fill('ZOË')
    await list(page).getByText('Zoë, London').click()
    await expect(list(page)).toBeHidden()
    await expect(number(page)).toHaveValue('+442079460958')
    await expect(page.getByRole('button', { name: 'Country: United Kingdom +44' })).toBeVisible()
    await expect(saveLink(page)).toBeHidden()

    await contactsButton(page).click()
    await list(page).getByRole('button', { name: 'Delete Zoë, London' }).click()
    await expect(list(page).getByText('Contact deleted')).toBeVisible()
    await expect(list(page).getByRole('searchbox')).toBeFocused()
    await expect(rows).toHaveText([/^Anjali Rao/, /^مریم/])
    await list(page).getByRole('button', { name: 'Dial مریم' }).press('Enter')
    await expect(number(page)).toHaveValue('+12125550111')
    await expect(page.getByRole('button', { name: 'Country: United States +1' })).toBeVisible()
    await number(page).fill('+442079460958')
    await expect(saveLink(page)).toBeVisible()

    await page.reload()
    if (width === 1280) {
      await column(page).getByRole('searchbox', { name: 'Search contacts' }).fill('anj')
      await expect(column(page).getByRole('button', { name: /^Dial / })).toHaveCount(1)
      await column(page).getByRole('button', { name: 'Dial Anjali Rao' }).click()
      await expect(number(page)).toHaveValue('+919876543210')
    } else {
      await expect(number(page)).toBeVisible()
      await expect(column(page)).toHaveCount(0)
    }
    await contactsButton(page).click()
    await expect(rows).toHaveText([/^Anjali Rao/, /^مریم/])
  })
}

test('reports what cannot be saved or deleted, and loses nothing that was typed', async ({ page }) => {
  await signUpWithoutWizard(page)
  await save(page, '2125550111', 'Mum')
  const press = () => form(page).getByRole('button', { name: 'Save contact' }).click()

  await number(page).fill('21255')
  await saveLink(page).click()
  await form(page).getByLabel('Contact Name').fill('Half')
  await press()
  await expect(form(page)).toContainText('Unrecognised number. Please check the number and try again.')
  await page.keyboard.press('Escape')

  await number(page).fill('2125550122')
  await saveLink(page).click()
  await form(page).getByLabel('Contact Name').fill('Dad')
  await page.route('**/api/contacts', route => route.fulfill({ status: 500, json: {} }))
  await press()
  await expect(form(page).getByText('Could not save contact.')).toBeVisible()
  await page.unrouteAll()
  await page.route('**/api/contacts', route => route.abort())
  await press()
  await expect(form(page).getByText('Something went wrong.')).toBeVisible()
  await expect(form(page).getByLabel('Contact Name')).toHaveValue('Dad')
  await page.unrouteAll()
  await press()
  await expect(page.getByText('Contact saved!')).toBeVisible()

  await contactsButton(page).click()
  await page.route('**/api/contacts/*', route => route.fulfill({ status: 500, json: {} }))
  await list(page).getByRole('button', { name: 'Delete Mum' }).click()
  await expect(list(page).getByText('Failed to delete contact')).toBeVisible()
  await expect(list(page).getByRole('button', { name: 'Delete Mum' })).toBeFocused()
  await expect(list(page).getByRole('listitem')).toHaveText([/^Dad/, /^Mum/])
})

test('names a number that was saved meanwhile on another page', async ({ page, context }) => {
  await signUpWithoutWizard(page)
  const other = await context.newPage()
  await other.goto('/call')
  await number(page).fill('2125550111')
  await saveLink(page).click()
  await save(other, '2125550111', 'Mum')
  await form(page).getByLabel('Contact Name').fill('Mother')
  await form(page).getByRole('button', { name: 'Save contact' }).click()
  await expect(form(page)).toContainText(/This number is already saved as .?Mum/)
})

test('a slow list shows that it is loading, one that fails can be asked for again', async ({ page }) => {
  await signUpWithoutWizard(page)
  let answered = Promise.withResolvers<void>()
  await page.route('**/api/contacts', async route => {
    await answered.promise
    await route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'We are busy.' } } })
  })
  await page.reload()
  await contactsButton(page).click()
  await expect(list(page).getByRole('status').filter({ hasText: 'Loading contacts' })).toBeAttached()
  expect(await violationsEverywhere(page)).toEqual([])
  answered.resolve()
  answered = Promise.withResolvers<void>()
  await expect(list(page)).toContainText('We are busy.')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await list(page).getByRole('button', { name: 'Try again' }).click()
  await expect(list(page)).toContainText('No saved contacts yet.')
})

test('a visitor is sent to sign up', async ({ page }) => {
  await page.goto('/call')
  await number(page).fill('2125550111')
  await expect(page.getByText('+1 212 555 0111')).toBeVisible()
  await expect(saveLink(page)).toBeHidden()
  await contactsButton(page).click()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByText('Sign up to save contacts')).toBeVisible()
})

test('a saved name appears in the call and in the history', { tag: '@core' }, async ({ page }) => {
  await signUpWithoutWizard(page)
  await save(page, '2125550100', 'The tone')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await expect(phone(page).getByText('The tone')).toBeVisible()
  await expect(phone(page).getByText('+1 212 555 0100')).toBeVisible()
  await expect(saveLink(page)).toBeHidden()
  await expect(contactsButton(page)).toBeHidden()
  await page.getByRole('button', { name: 'Keypad' }).click()
  await expect(phone(page).getByText('The tone')).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await page.goto('/call-history')
  await expect(page.getByRole('row').filter({ hasText: 'The tone' })).toContainText('212 555 0100')
})

test('nothing in the dialogs keeps people out, in both themes, on a phone and at a desk', async ({
  page,
}) => {
  await signUpWithoutWizard(page)
  await contactsButton(page).click()
  await expect(list(page)).toContainText('No saved contacts yet.')
  expect(await violationsEverywhere(page)).toEqual([])
  await page.keyboard.press('Escape')
  await save(page, '+919876543210', 'Anjali Rao')
  await contactsButton(page).click()
  await expect(list(page)).toContainText('Anjali Rao')
  expect(await violationsEverywhere(page)).toEqual([])
  await page.keyboard.press('Escape')
  await number(page).fill('2125550111')
  await saveLink(page).click()
  await form(page).getByLabel('Contact Name').press('Enter')
  await expect(form(page)).toContainText('Enter a name for this contact.')
  expect(await violationsEverywhere(page)).toEqual([])
})
