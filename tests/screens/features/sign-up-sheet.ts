import { expect } from 'playwright/test'
import { newAddress, password } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** From a number on the landing's slip to the sign-up over its envelope. */
export const signUpSheet: Walk = async ({ page, shoot }) => {
  await page.goto('/')
  const slip = page.getByRole('region', { name: 'Rate calculator' })
  await page.getByRole('textbox', { name: 'Number to call' }).fill('+919876543210')
  await expect(slip).toContainText(/\d\d:\d\d there/)
  await slip.scrollIntoViewIfNeeded()
  await shoot('slip', { whole: false })
  await slip.getByRole('link', { name: 'Call +91 98765 43210' }).click()
  const sheet = page.getByRole('dialog', { name: 'Your first call is free' })
  await expect(sheet).toContainText('your call to')
  await shoot('envelope', { whole: false })
  await sheet.getByRole('button', { name: 'Register', exact: true }).click()
  await shoot('rejected', { whole: false })
  await sheet.getByLabel('E-mail').fill(newAddress('new'))
  await sheet.getByLabel('Password', { exact: true }).fill(password)
  await sheet.getByRole('button', { name: 'Register', exact: true }).click()
  await page.waitForURL('**/check-email')
  await page.waitForLoadState('networkidle')
  await shoot('check-email')
}
