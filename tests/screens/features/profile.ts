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
  await visit('/referrals')
  await visit('/support')
}
