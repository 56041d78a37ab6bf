import { expect } from 'playwright/test'
import { dial, saveNumber, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The histories of calls and of money: empty, and with a few rows. */
export const histories: Walk = async ({ page, farline, visit, shoot }) => {
  const email = await signUp(page)
  await visit('/call-history', 'calls-none')
  await visit('/billing-history', 'billing-none')
  await page.goto('/call')
  await farline.admin('credit', email, '5', '--reason', 'a look at the screens')
  await saveNumber(page, '2125550104')
  for (const number of ['2125550104', '2125550101', '+919876543299']) {
    await dial(page, number)
    const hangUp = page.getByRole('button', { name: 'Hang up' })
    await hangUp.click({ timeout: 3000 }).catch(() => undefined)
    await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeVisible()
  }
  await visit('/call-history', 'calls')
  await visit('/billing-history', 'billing')
  await page.goto('/call-history')
  await page
    .getByRole('link', { name: /receipt/i })
    .first()
    .click()
  await page.waitForLoadState('networkidle')
  await shoot('call-receipt')
}
