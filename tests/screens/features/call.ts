import { expect } from 'playwright/test'
import { dial, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** A call: ringing, talking, and what can go wrong in it. */
export const call: Walk = async ({ page, farline, shoot }) => {
  const email = await signUp(page)
  const inCall = page.getByText('In Call', { exact: true })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await dial(page, '2125550102')
  await expect(page.getByText('Ringing', { exact: true })).toBeVisible()
  await shoot('ringing')
  await press('Hang up')
  await dial(page, '2125550100')
  await expect(inCall).toBeVisible()
  await shoot('free-call')
  await farline.advance(11_000)
  await press('Hang up')
  await farline.admin('credit', email, '20', '--reason', 'a look at the screens')
  await dial(page, '2125550100')
  await expect(page.getByText('Good connection')).toBeVisible()
  await shoot('in-call')
  await press('Mute')
  await shoot('muted')
  await press('Muted')
  await press('Keypad')
  await shoot('keypad')
  await page.getByRole('textbox', { name: 'Digits to send' }).fill('1234567890'.repeat(20))
  await expect(page.getByText(/^Sending \d/)).toBeVisible()
  await shoot('sending-digits')
  await press('Cancel')
  await press('Keypad')
  await farline.loseSound(true)
  await expect(page.getByText(/^Reconnecting/)).toBeVisible({ timeout: 20_000 })
  await shoot('reconnecting')
  await farline.loseSound(false)
  await expect(inCall).toBeVisible()
  await press('Hang up')
}
