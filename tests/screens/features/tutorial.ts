import { expect } from 'playwright/test'
import { newAddress, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

export const tutorial: Walk = async ({ page, shoot }) => {
  await signUp(page, { email: newAddress('learner'), newHere: true })
  const dialog = page.getByRole('dialog')
  const next = () => dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByText('Step 1 of 4')).toBeVisible()
  await shoot('step-1', { whole: false })
  await next()
  await shoot('step-2', { whole: false })
  await dialog.getByPlaceholder('Search countries...').fill('ind')
  await dialog.getByRole('option', { name: /^India/ }).click()
  await shoot('step-2-chosen', { whole: false })
  await next()
  await dialog.getByRole('textbox').fill('9876543210')
  await shoot('step-3', { whole: false })
  await next()
  await shoot('step-4', { whole: false })
}
