import { expect } from 'playwright/test'
import { dial, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The stamps of the countries called: none, and two. */
export const stampAlbum: Walk = async ({ page, farline, shoot }) => {
  const email = await signUp(page)
  const album = page.getByRole('region', { name: 'Your stamps' })
  await page.goto('/profile')
  await expect(album.getByText('Call somebody abroad.')).toBeVisible()
  await album.scrollIntoViewIfNeeded()
  await shoot('none')
  await page.goto('/call')
  await farline.credit(email, 5)
  for (const number of ['+919876543210', '+4930901820123']) {
    await dial(page, number)
    await expect(page.getByText('In Call', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByText('Call Disconnected')).toBeAttached()
  }
  await page.goto('/profile')
  await expect(album.getByText(/2 countries/)).toBeVisible()
  await shoot('two')
}
