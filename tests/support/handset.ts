import { expect, type Page } from 'playwright/test'

/** What a telephone does when it rings, as its page calls it. */
type WhenItRings = 'I answer' | 'Answer by itself after 3 s' | 'Busy'

/**
 * Opens a telephone in a tab of its own, saying a tone of 1 kHz, and claims its number.
 * @param number as it is typed
 */
export async function openHandset(page: Page, number: string, whenItRings: WhenItRings = 'I answer') {
  const handset = await page.context().newPage()
  await handset.goto('/dev/handset')
  await handset.getByLabel('This telephone is').fill(number)
  await handset.getByLabel('1 kHz tone').check()
  await handset.getByLabel(whenItRings, { exact: true }).check()
  await handset.getByRole('button', { name: 'Claim this number' }).click()
  await expect(
    handset.getByText(whenItRings === 'Busy' ? 'Busy to every caller' : 'Waiting for a call'),
  ).toBeVisible()
  return handset
}
