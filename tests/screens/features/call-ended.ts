import { expect } from 'playwright/test'
import { dial, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** What follows a call: its receipt, its ending, feedback, and a balance that is used up. */
export const callEnded: Walk = async ({ page, farline, shoot }) => {
  const email = await signUp(page)
  const talk = async (number: string) => {
    await dial(page, number)
    await expect(page.getByText('In Call', { exact: true })).toBeVisible()
    await farline.advance(12_000)
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByText(/Talked/).first()).toBeVisible()
  }
  await talk('2125550100')
  await shoot('receipt-free')
  await page.getByRole('region', { name: 'Call ended' }).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'No, thanks' })).toBeVisible()
  await shoot('source-question')
  await farline.credit(email, 1.5)
  await talk('2125550100')
  await shoot('receipt')
  await page.keyboard.press('Escape')
  for (const [number, state] of [
    ['2125550101', 'busy'],
    ['2125550103', 'not-in-service'],
    ['2125550105', 'declined'],
  ] as const) {
    await dial(page, number)
    await expect(page.getByText('Call Disconnected').first()).toBeAttached()
    await page.waitForLoadState('networkidle')
    await shoot(state)
  }
  await dial(page, '2125550100')
  await expect(page.getByText('Low credits! Call will end soon.')).toBeVisible()
  await shoot('low-credits')
  await page.getByRole('button', { name: 'Hang up' }).click()
}
