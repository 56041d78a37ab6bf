// @covers src/voice/silence-watch.ts
// @real-time
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

const missing = 'No sound from them. Hang up if it lasts.'

for (const [number, what, tag] of [
  ['2125550106', 'whose sound stops', []],
  ['2125550108', 'that never sends any', ['@full']],
] as const) {
  test(`reports ${what} at the far end while the call continues`, { tag: [...tag] }, async ({ page }) => {
    await signUp(page)
    await dial(page, number)
    await expect(page.getByText('In Call', { exact: true })).toBeVisible()
    await expect(page.getByText(missing)).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('In Call', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByText('Call Disconnected')).toBeVisible()
    await expect(page.getByText(missing)).toHaveCount(0)
  })
}
