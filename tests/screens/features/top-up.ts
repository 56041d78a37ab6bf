import { expect } from 'playwright/test'
import { dial, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** A balance that is used up: refused before a call, low during it, out at its end, and topped up for the same call. */
export const topUp: Walk = async ({ page, farline, shoot }) => {
  const email = await signUp(page)
  const receipt = page.getByRole('region', { name: 'Call ended' })
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  // A shorter free call is not used up.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await receipt.getByRole('button', { name: 'Close' }).click()
  await dial(page, '2125550100')
  await expect(page.getByText('You do not have enough credits to make this call.')).toBeVisible()
  await shoot('refused')
  await farline.credit(email, 0.05)
  await page.reload()
  await dial(page, '2125550100')
  await expect(page.getByText('Low credits! Call will end soon.')).toBeVisible()
  await shoot('low-credits')
  await farline.advance(121_000)
  await expect(receipt.getByText(/Your credits ran out\./)).toBeVisible()
  await shoot('ran-out')
  await receipt.getByRole('button', { name: 'Call again' }).click()
  await page.getByRole('radio', { name: 'succeeds', exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'Pay $5.00' }).click()
  await expect(page.getByText('Credits added successfully!')).toBeVisible()
  await shoot('topped-up')
}
