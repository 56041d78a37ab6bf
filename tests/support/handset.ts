import { expect, type Page } from 'playwright/test'

type WhenItRings = 'I answer' | 'Answer by itself after 3 s' | 'Busy'
type Says = '1 kHz tone' | 'My microphone'

/**
 * Opens a handset in its own tab, and claims its number.
 * @param number as it is typed
 */
export async function openHandset(
  page: Page,
  number: string,
  whenItRings: WhenItRings = 'I answer',
  says: Says = '1 kHz tone',
) {
  const handset = await page.context().newPage()
  await handset.goto('/dev/handset')
  await handset.getByLabel('This telephone is').fill(number)
  await handset.getByLabel(says).check()
  await handset.getByLabel(whenItRings, { exact: true }).check()
  await handset.getByRole('button', { name: 'Claim this number' }).click()
  await expect(
    handset.getByText(whenItRings === 'Busy' ? 'Busy to every caller' : 'Waiting for a call'),
  ).toBeVisible()
  return handset
}
