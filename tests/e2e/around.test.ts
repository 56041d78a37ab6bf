// @covers src/islands/dialler/people
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, saveNumber, signUp } from '#support/people.ts'

const number = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
const contactsButton = (page: Page) => page.getByRole('button', { name: 'Contacts', exact: true })
const column = (page: Page) => page.getByRole('complementary', { name: 'Contacts and recent calls' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your Contacts' })
const people = (page: Page) => column(page).getByRole('list', { name: 'Your people' })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Aunt Rose' })
const redial = (page: Page, who: RegExp) => column(page).getByRole('button', { name: who })

test('a user finds recent calls beside the phone, calls again, and keeps favourites at hand', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signUp(page)
  await expect(column(page)).toContainText('No calls yet.')
  await expect(column(page)).toContainText('Your first one is free.')
  await saveNumber(page, '2125550101', 'Aunt Rose')

  await dial(page, '2125550101')
  await expect(page.getByText('The line is busy. Nothing was charged.')).toBeVisible()
  const busy = column(page).getByRole('listitem').filter({ hasText: 'Aunt Rose' }).filter({ hasText: 'busy' })
  await expect(busy).toContainText(/Today, .*, busy/)

  await dial(page, '2125550100')
  await expect(page.getByRole('button', { name: 'Hang up' })).toBeVisible()
  await expect(redial(page, /Call Aunt Rose again/)).toBeHidden()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Hang up' }).click()
  const free = column(page).getByRole('listitem').filter({ hasText: '+1 212 555 0100' })
  await expect(free).toContainText('Free')
  await expect(free).toContainText(/Today, .*, First call/)

  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await redial(page, /^Call Aunt Rose again, as on Today/).click()
  await expect(number(page)).toHaveValue('+12125550101')
  await expect(page.getByText('The line is busy. Nothing was charged.')).toBeVisible()

  await column(page)
    .getByRole('button', { name: /^Save \+1 212 555 0100, called Today/ })
    .click()
  await page.getByRole('dialog', { name: 'Save Contact' }).getByLabel('Contact Name').fill('The tone')
  await page.keyboard.press('Enter')
  await expect(redial(page, /^Call The tone again/)).toBeVisible()

  await column(page)
    .getByRole('button', { name: /^Aunt Rose/ })
    .click()
  await sheet(page).getByRole('button', { name: 'Favourite Aunt Rose' }).click()
  await expect(sheet(page).getByRole('button', { name: 'Favourite Aunt Rose' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.keyboard.press('Escape')
  // The favourite comes first, although the other is talked to more.
  await expect(people(page).getByRole('listitem')).toHaveText([/^Aunt Rose/, /^The tone/, /^Who else\?/])
  await number(page).fill('')
  await people(page)
    .getByRole('button', { name: /^Call Aunt Rose/ })
    .click()
  await expect(number(page)).toHaveValue('+12125550101')
  await expect(page.getByText('The line is busy. Nothing was charged.')).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])

  await page.reload()
  await expect(people(page)).toContainText('Aunt Rose')
  await contactsButton(page).click()
  await expect(dialog(page).getByRole('tab', { name: 'Recent' })).toBeFocused()
  await expect(dialog(page).getByRole('button', { name: /^Call The tone again/ })).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
  await page.keyboard.press('ArrowRight')
  await expect(dialog(page).getByRole('tab', { name: 'All contacts' })).toBeFocused()
  await dialog(page)
    .getByRole('button', { name: /^Aunt Rose/ })
    .click()
  await sheet(page).getByRole('button', { name: 'Favourite Aunt Rose' }).click()
  await expect(sheet(page).getByRole('button', { name: 'Favourite Aunt Rose' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(people(page).getByRole('listitem')).toHaveText([/^The tone/, /^Aunt Rose/, /^Who else\?/])
})

test('a telephone link opens the dialler with its number, and calls nobody by itself', async ({ page }) => {
  await signUp(page, { at: `/call#number=${encodeURIComponent('tel:+44-20-7946-0958')}` })
  await expect(number(page)).toHaveValue(/20 ?7946 ?0958/)
  await expect(page.getByRole('button', { name: 'Country: United Kingdom +44' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeEnabled()
})

test('reports a favourite that cannot be saved, and changes nothing @full', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await signUp(page)
  await saveNumber(page, '2125550101', 'Aunt Rose')
  await contactsButton(page).click()
  await dialog(page)
    .getByRole('button', { name: /^Aunt Rose/ })
    .click()
  const star = sheet(page).getByRole('button', { name: 'Favourite Aunt Rose' })
  await page.route('**/api/contacts/*/favourite', route => route.abort())
  await star.click()
  await expect(sheet(page).getByText("We couldn't change your favourites.")).toBeVisible()
  await expect(star).toHaveAttribute('aria-pressed', 'false')
  await page.unrouteAll()
  await star.click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await expect(sheet(page).getByText("We couldn't change your favourites.")).toBeHidden()
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('tab', { name: 'Recent' }).click()
  await expect(dialog(page)).toContainText('No calls yet.')
  await dialog(page)
    .getByRole('button', { name: /^Call Aunt Rose/ })
    .click()
  await expect(dialog(page)).toBeHidden()
  await expect(number(page)).toHaveValue('+12125550101')
  await expect(page.getByText('The line is busy. Nothing was charged.')).toBeVisible()
})
