import { expect } from 'playwright/test'
import { openHandset } from '#support/handset.ts'
import { signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The user's own number: asked for, rejected, verified by its code, chosen, removed. */
export const callerId: Walk = async ({ page, shoot }) => {
  await signUp(page)
  const own = '+44 7700 900599'
  const from = page.getByLabel('Call from')
  const dialog = page.getByRole('dialog', { name: 'Verify Caller ID' })
  const number = dialog.getByLabel('Your number, with country code')
  const handset = await openHandset(page, own)
  await page.bringToFront()
  await from.focus()
  await from.selectOption('Add Caller ID')
  await shoot('number', { whole: false })
  await number.fill('447700900599')
  await dialog.getByRole('button', { name: 'Verify number' }).click()
  await expect(dialog.getByText(/^Enter a valid phone number/)).toBeVisible()
  await shoot('number-rejected', { whole: false })
  await number.fill(own)
  await dialog.getByRole('button', { name: 'Verify number' }).click()
  const code = dialog.getByText(/^\d{3} \d{3}$/)
  await expect(code).toBeVisible()
  await shoot('code', { whole: false })
  const digits = (await code.innerText()).replace(' ', '')
  await handset.bringToFront()
  await handset.getByRole('button', { name: 'Answer' }).click()
  await expect(handset.getByText('Digits heard')).toBeVisible()
  await page.bringToFront()
  await expect(dialog.getByText(/^Answered/)).toBeVisible({ timeout: 15_000 })
  await shoot('answered', { whole: false })
  await handset.bringToFront()
  for (const digit of digits)
    await handset.getByRole('button', { name: new RegExp(`^${digit}( |$)`) }).click()
  await page.bringToFront()
  await expect(page.getByText('Number successfully verified!')).toBeVisible({ timeout: 15_000 })
  await shoot('verified')
  await page.getByRole('button', { name: `Remove ${own} from your caller IDs` }).click()
  await shoot('remove')
}
