import { expect } from 'playwright/test'
import { plugAuthenticatorIn } from '#support/authenticator.ts'
import { logIn, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The account pages of somebody who is signed in, on two devices, with a passkey. */
export const profile: Walk = async ({ page, farline, openOther, visit, shoot }) => {
  const email = await signUp(page)
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
  await logIn(await openOther(), email)
  await plugAuthenticatorIn(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill('My laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('dialog', { name: 'Your recovery codes' })).toBeVisible()
  await shoot('recovery-codes', { whole: false })
  await page.getByRole('button', { name: "I've saved them" }).click()
  await visit('/profile', 'two-devices-and-a-passkey')
  // The login proves who it is for ten minutes.
  await farline.advance(11 * 60_000)
  await open('Log out everywhere else', 'confirm-log-out')
  await visit('/referrals')
  await visit('/support')
}
