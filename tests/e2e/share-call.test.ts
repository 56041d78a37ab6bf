// @covers src/islands/dialler/share-call
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

const receipt = (page: Page) => page.getByRole('region', { name: 'Call ended' })
const card = (page: Page) => page.getByRole('dialog', { name: 'Share this call' })

async function holdCall(page: Page): Promise<void> {
  await signUp(page)
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await receipt(page).getByRole('button', { name: 'Share this call' }).click()
}

test('a call becomes a card with country, minutes and the referral link, and without the number', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const shared: unknown[] = []
    Object.assign(window, { shared })
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ text, files }: ShareData) => {
        shared.push({ text, types: files?.map(file => [file.name, file.type, file.size > 10_000]) })
      },
    })
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await holdCall(page)
  const picture = card(page).getByRole('img', { name: /United States, 1 minute/ })
  await expect(picture).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
  await card(page).getByRole('button', { name: 'Share', exact: true }).click()
  const [shared] = await page.evaluate(
    () => (window as unknown as { shared: { text: string; types: unknown }[] }).shared,
  )
  expect(shared?.text).toMatch(
    /^United States, 1 minute, less than a stamp\. I called with Farline\. Your first call is free: http\S+ref=\w+$/,
  )
  expect(shared?.text).not.toContain('555')
  expect(shared?.types).toEqual([['farline-call.png', 'image/png', true]])
})

test('where the browser cannot share, the card is saved or its text copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    Object.assign(navigator, { share: undefined })
  })
  await holdCall(page)
  const saved = page.waitForEvent('download')
  await card(page).getByRole('link', { name: 'Save picture' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toBe('farline-call.png')
  const bytes = await readFile(await download.path())
  // Its size in pixels, from the PNG's header.
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1080, 1440])
  await card(page).getByRole('button', { name: 'Copy text' }).click()
  await expect(card(page).getByText('Copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Your first call is free')
  await page.keyboard.press('Escape')
  await expect(receipt(page).getByRole('button', { name: 'Share this call' })).toBeFocused()
})
