import { expect } from 'playwright/test'
import { dial, saveNumber, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** People: none, some, and their dialogs. */
export const contacts: Walk = async ({ page, shoot }) => {
  await signUp(page)
  const button = page.getByRole('button', { name: /^Contacts/ }).first()
  await button.click()
  await expect(page.getByText('No saved contacts yet.').first()).toBeVisible()
  await shoot('none', { whole: false })
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Phone number' }).fill('2125550111')
  await page.getByRole('button', { name: '+ Save this number' }).click()
  await shoot('save', { whole: false })
  await page.keyboard.press('Escape')
  await saveNumber(page, '2125550100')
  await saveNumber(page, '+919876543210', 'Mum')
  await saveNumber(page, '+4930901820123', 'Maximiliane Theodora von Hohenfels-Oberstein')
  await dial(page, '2125550104')
  await expect(page.getByText(/Talked/).first()).toBeVisible()
  await page.reload({ waitUntil: 'networkidle' })
  await shoot('dialler')
  await button.click()
  await shoot('dialog', { whole: false })
}
