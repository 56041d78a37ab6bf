import { expect } from 'playwright/test'
import { dial, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The question after a call: its stars, its reasons with the claim, and the thanks. */
export const feedback: Walk = async ({ page, farline, shoot }) => {
  await page.addInitScript(() => {
    const draw = Math.random
    Math.random = () => draw() * 0.3
  })
  const email = await signUp(page)
  await farline.credit(email, 5)
  const prompt = page.getByRole('dialog', { name: 'How was your call?' })
  // The first call is free, so only the second has a charge to claim.
  for (const ms of [12_000, 31_000]) {
    await dial(page, '2125550100')
    await expect(page.getByText('In Call', { exact: true })).toBeVisible()
    await farline.advance(ms)
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByText('Call Disconnected')).toBeAttached()
  }
  await expect(prompt).toBeVisible()
  await shoot('question', { whole: false })
  await prompt.getByText('5', { exact: true }).click()
  await shoot('clear', { whole: false })
  await prompt.getByText('2', { exact: true }).click()
  await expect(prompt.getByText(/^Choose what went wrong/)).toBeVisible()
  await shoot('poor', { whole: false })
  await prompt.getByText('Echo').click()
  await prompt.getByRole('checkbox', { name: /^Refund \$/ }).check()
  await shoot('claim', { whole: false })
  await prompt.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/is back in your balance/)).toBeVisible()
  await shoot('refunded', { whole: false })
}
