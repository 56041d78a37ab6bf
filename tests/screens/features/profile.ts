import { expect } from 'playwright/test'
import { signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The account pages of somebody who is signed in. */
export const profile: Walk = async ({ page, visit, shoot }) => {
  await signUp(page)
  await visit('/profile')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete account?' })).toBeVisible()
  await shoot('delete-account', { whole: false })
  await page.keyboard.press('Escape')
  const open = async (button: string, state: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await shoot(state, { whole: false })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await open('Add Caller ID', 'add-caller-id')
  await open('Add a passkey', 'add-passkey')
  await open('Add an authenticator app', 'add-authenticator')
  await visit('/referrals')
  await visit('/support')
}
