import { expect } from 'playwright/test'
import { dial, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The card of a call, to be sent to friends. */
export const shareCall: Walk = async ({ page, shoot }) => {
  await signUp(page)
  await dial(page, '+919876543210')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await page.getByRole('button', { name: 'Share this call' }).click()
  const card = page.getByRole('dialog', { name: 'Share this call' })
  await expect(card.getByRole('img', { name: /India, 1 minute/ })).toBeVisible()
  await shoot('card', { whole: false })
}
