import { expect } from 'playwright/test'
import { dial, saveNumber, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The histories of calls and of money: empty, and with a few rows. */
export const histories: Walk = async ({ page, farline, visit, shoot }) => {
  const email = await signUp(page)
  await visit('/call-history', 'calls-none')
  await visit('/billing-history', 'billing-none')
  await page.goto('/call')
  await farline.credit(email, 5)
  await saveNumber(page, '2125550104')
  await expect(page.getByRole('dialog')).toBeHidden()
  const phone = page.getByRole('region', { name: 'Phone' })
  // Answered, busy, and cancelled while it rings.
  for (const [number, state] of [
    ['2125550104', 'In Call'],
    ['2125550101', 'Call Disconnected'],
    ['+919876543299', 'Ringing'],
  ] as const) {
    await dial(page, number)
    await expect(phone.getByText(state, { exact: true })).toBeAttached()
    if (state !== 'Call Disconnected') await page.getByRole('button', { name: 'Hang up' }).click()
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
