// @covers src/islands/dialler/contacts src/shared/save-contact server/contacts
import { readFileSync } from 'node:fs'
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
const sheet = (page: Page, name: string) => page.getByRole('dialog', { name })
const stamp = (page: Page, name: RegExp) =>
  page.getByRole('list', { name: 'Your people' }).getByRole('button', { name })
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
    await sheet(page, 'Zoë, London').getByRole('button', { name: 'Enter this number' }).click()
    await expect(list(page)).toBeHidden()
    await expect(number(page)).toHaveValue('+442079460958')
    await expect(page.getByRole('button', { name: 'Country: United Kingdom +44' })).toBeVisible()
    await expect(saveLink(page)).toBeHidden()

    await contactsButton(page).click()
    await list(page).getByRole('button', { name: 'Delete Zoë, London' }).click()
    await expect(list(page).getByText('Contact deleted')).toBeVisible()
    await expect(list(page).getByRole('searchbox')).toBeFocused()
    await expect(rows).toHaveText([/^Anjali Rao/, /^مریم/])
    await list(page).getByRole('button', { name: /^مریم/ }).press('Enter')
    await sheet(page, 'مریم').getByRole('button', { name: 'Enter this number' }).press('Enter')
    await expect(number(page)).toHaveValue('+12125550111')
    await expect(page.getByRole('button', { name: 'Country: United States +1' })).toBeVisible()
    await number(page).fill('+442079460958')
    await expect(saveLink(page)).toBeVisible()

    await page.reload()
    if (width === 1280) {
      await column(page).getByRole('searchbox', { name: 'Search contacts' }).fill('anj')
      await expect(column(page).getByRole('button', { name: /^Call [^,]+$/ })).toHaveCount(1)
      await column(page).getByRole('searchbox', { name: 'Search contacts' }).fill('098765 43')
      await column(page)
        .getByRole('button', { name: /^Anjali Rao/ })
        .click()
      await sheet(page, 'Anjali Rao').getByRole('button', { name: 'Enter this number' }).click()
      await expect(number(page)).toHaveValue('+919876543210')
    } else {
      await expect(number(page)).toBeVisible()
      await expect(column(page)).toHaveCount(0)
    }
    await contactsButton(page).click()
    await expect(rows).toHaveText([/^Anjali Rao/, /^مریم/])
  })
}

test('reports what cannot be saved, deleted or listed, shows a slow list, and loses nothing that was typed', async ({
  page,
}) => {
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
  await page.unrouteAll()

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
  await expect(list(page).getByRole('listitem')).toHaveText([/^Dad/, /^Mum/])
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

for (const width of [390, 1280]) {
  test(`a user saves Mum with a note, rings her with one tap, renames, deletes and brings her back, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await signUpWithoutWizard(page)
    const hint = width === 390 ? 'Save a number, and one tap here calls it next time.' : 'Save a number once.'
    await expect(page.getByText(hint)).toBeVisible()
    if (width === 1280) {
      await page.getByRole('button', { name: /^Mum\?/ }).click()
      await expect(number(page)).toBeFocused()
    }
    await save(page, '2125550100', 'Mum')
    await number(page).fill('')
    await expect(stamp(page, /^Call Mum, in the United States, \d\d:\d\d there/)).toBeVisible()

    await contactsButton(page).click()
    await list(page).getByRole('button', { name: /^Mum/ }).click()
    await expect(sheet(page, 'Mum')).toContainText('+1 212 555 0100')
    await sheet(page, 'Mum').getByLabel('Notes').fill('Rings twice if she naps.')
    await sheet(page, 'Mum').getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Changes saved')).toBeVisible()
    await sheet(page, 'Mum').getByRole('button', { name: 'Favourite Mum' }).click()
    await expect(sheet(page, 'Mum').getByRole('button', { name: 'Favourite Mum' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await sheet(page, 'Mum').getByLabel('Name').fill(' ')
    await sheet(page, 'Mum').getByRole('button', { name: 'Save changes' }).click()
    await expect(sheet(page, 'Mum')).toContainText('Enter a name for this contact.')
    await sheet(page, 'Mum').getByLabel('Name').fill('Mother')
    await sheet(page, 'Mum').getByRole('button', { name: 'Save changes' }).click()
    const mother = sheet(page, 'Mother')
    await expect(mother.getByLabel('Notes')).toHaveValue('Rings twice if she naps.')
    expect(await violationsEverywhere(page)).toEqual([])

    await mother.getByLabel('Notes').fill('Not before ten.')
    await mother.getByRole('button', { name: 'Delete' }).click()
    await expect(mother).toBeHidden()
    await expect(list(page).getByText('Contact deleted')).toBeVisible()
    await expect(list(page)).toContainText('No saved contacts yet.')
    await list(page).getByRole('button', { name: 'Undo deleting Mother' }).click()
    await expect(list(page).getByRole('searchbox')).toBeFocused()
    await list(page)
      .getByRole('button', { name: /^Mother/ })
      .click()
    await expect(mother.getByLabel('Notes')).toHaveValue('Not before ten.')
    await expect(mother.getByRole('button', { name: 'Favourite Mother' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(list(page)).toBeHidden()

    await page.reload()
    await stamp(page, /^Call Mother, /).click()
    await expect(page.getByText('In Call', { exact: true })).toBeVisible({ timeout: 20_000 })
    await expect(phone(page).getByText('Mother')).toBeVisible()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByText('Call Disconnected')).toBeVisible()
    await expect(stamp(page, /^Call Mother, .*, talked today$/)).toBeAttached()
  })
}

test('a number saved or deleted meanwhile on another page is said so, and nothing typed into a sheet is lost', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 1280, height: 844 })
  await signUpWithoutWizard(page)
  const other = await context.newPage()
  await other.goto('/call')
  await number(page).fill('2125550111')
  await saveLink(page).click()
  await save(other, '2125550111', 'Mum')
  await form(page).getByLabel('Contact Name').fill('Mother')
  await form(page).getByRole('button', { name: 'Save contact' }).click()
  await expect(form(page)).toContainText(/This number is already saved as .?Mum/)
  await page.reload()

  const open = () => column(page).getByRole('button', { name: /^Mum/ }).click()
  const notes = sheet(page, 'Mum').getByLabel('Notes')
  await open()
  await notes.fill('Rings twice.')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Changes saved')).toBeVisible()
  await open()
  await expect(notes).toHaveValue('Rings twice.')
  await notes.fill('Evenings.')
  await sheet(page, 'Mum').getByRole('button', { name: 'Enter this number' }).click()
  await expect(number(page)).toHaveValue('+12125550111')
  await open()
  await expect(notes).toHaveValue('Evenings.')

  await contactsButton(other).click()
  await list(other).getByRole('button', { name: 'Delete Mum' }).click()
  await expect(list(other).getByText('Contact deleted')).toBeVisible()
  await other.close()
  await notes.fill('Not before ten.')
  const saveChanges = sheet(page, 'Mum').getByRole('button', { name: 'Save changes' })
  await saveChanges.click()
  await expect(sheet(page, 'Mum')).toContainText('This contact was deleted on another page.')
  await expect(notes).toHaveValue('Not before ten.')
  await saveChanges.click()
  await expect(sheet(page, 'Mum')).toBeHidden()
  await open()
  await expect(notes).toHaveValue('Not before ten.')
  await sheet(page, 'Mum').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeFocused()
})

test('a number saved from a recent call leaves the focus on its handset', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUpWithoutWizard(page)
  await number(page).fill('2125550100')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await page.goto('/call')
  await contactsButton(page).click()
  await list(page).getByRole('tab', { name: 'Recent' }).click()
  await list(page)
    .getByRole('button', { name: /^Save \+1 212/ })
    .click()
  await form(page).getByLabel('Contact Name').fill('The tone')
  await page.keyboard.press('Enter')
  await expect(form(page)).toBeHidden()
  await expect(list(page).getByRole('button', { name: /^Call The tone again/ })).toBeFocused()
})

test('a deletion that is not undone within 10 s stays', async ({ page }) => {
  await page.clock.install()
  await signUpWithoutWizard(page)
  await save(page, '2125550111', 'Mum')
  await contactsButton(page).click()
  await list(page).getByRole('button', { name: 'Delete Mum' }).click()
  await expect(list(page).getByRole('button', { name: 'Undo deleting Mum' })).toBeVisible()
  await page.clock.runFor(10_000)
  await expect(list(page).getByRole('button', { name: 'Undo deleting Mum' })).toBeHidden()
  await page.reload()
  await contactsButton(page).click()
  await expect(list(page)).toContainText('No saved contacts yet.')
})

const book = `BEGIN:VCARD
VERSION:3.0
FN:Aunt Rose
TEL;TYPE=CELL:+33 6 12 34 56 78
TEL;TYPE=HOME:(212) 555-0142
NOTE:Speaks slowly\\, and likes it.
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BCller;J=C3=B6rg
TEL;VOICE:+49 221 5550184
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Mum
TEL:+1 212 555 0111
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Hotline
TEL:+44 909 879 0000
END:VCARD
`.replaceAll('\n', '\r\n')

test('a user imports an address book, sees what is in it first, and exports it again', async ({ page }) => {
  await signUpWithoutWizard(page)
  await save(page, '2125550111', 'Mum')
  await contactsButton(page).click()
  await list(page).getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import contacts' })
  const file = (name: string, text: string) => ({ name, mimeType: 'text/vcard', buffer: Buffer.from(text) })
  await dialog.locator('input[type=file]').setInputFiles(file('list.vcf', 'name,number'))
  await expect(dialog).toContainText('There are no contacts in this file.')
  await dialog.locator('input[type=file]').setInputFiles(file('book.vcf', book))
  await expect(dialog).toContainText('3 contacts ready to save. 1 saved already. 1 left out.')
  await expect(dialog).toContainText("Hotline, +44 909 879 0000: We don't call premium-rate numbers.")
  expect(await violationsEverywhere(page)).toEqual([])
  await page.route('**/api/contacts/import', route => route.abort())
  await dialog.getByRole('button', { name: 'Save 3 contacts' }).click()
  await expect(dialog).toContainText('Save again to go on.')
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Save 3 contacts' }).click()
  await expect(dialog).toContainText('3 contacts saved.')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(list(page).getByRole('listitem')).toHaveText([
    /^Aunt Rose \(home\)/,
    /^Aunt Rose \(mobile\)\+33 6 12 34 56 78/,
    /^Jörg Müller/,
    /^Mum/,
  ])
  const saving = page.waitForEvent('download')
  await list(page).getByRole('button', { name: 'Export' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('contacts.vcf')
  const text = readFileSync(await download.path(), 'utf8')
  expect(text.match(/^FN:.*$/gm)).toHaveLength(4)
  expect(text).toContain('TEL;TYPE=VOICE:+33612345678\r\nNOTE:Speaks slowly\\, and likes it.\r\n')
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
