// @covers src/islands/call-history server/calls/history
import { readFile } from 'node:fs/promises'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

test('a user sees calls arrive in the history, finds one, keeps the list, prints a receipt, and calls again', {
  tag: '@core',
}, async ({ page, context }) => {
  await signUp(page, { at: '/call-history' })
  await expect(page.getByRole('heading', { name: 'No calls yet' })).toBeVisible()

  const phone = await context.newPage()
  await phone.goto('/call')
  await dial(phone, '2125550101')
  const busy = page.getByRole('row').filter({ hasText: '212 555 0101' })
  await expect(busy).toContainText('Busy')
  await expect(page.getByRole('rowheader', { name: /^Today/ })).toBeVisible()
  await expect(phone.getByText('The line is busy. Nothing was charged.')).toBeVisible()
  await dial(phone, '2125550104')
  const free = page.getByRole('row').filter({ hasText: '212 555 0104' })
  await expect(free).toContainText('Free', { timeout: 20_000 })
  await expect(free).toContainText('1 min')
  await expect(page.getByRole('paragraph').filter({ hasText: /^1 min ?in / })).toBeVisible()
  await phone.close()
  // Where nothing that is listed lies behind the tab bar.
  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  expect(await violationsEverywhere(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })

  const filters = page.getByRole('button', { name: /^Filters/ })
  const who = page.getByLabel('Number or name')
  await expect(filters).toHaveAttribute('aria-expanded', 'false')
  await expect(who).toBeHidden()
  await filters.press('Enter')
  await expect(filters).toHaveAttribute('aria-expanded', 'true')
  await who.pressSequentially('555-0101')
  await expect(free).toBeHidden()
  await expect(busy).toBeVisible()
  await expect(page).toHaveURL(/#who=555-0101$/)
  await expect(page.getByRole('status').filter({ hasText: '1 call found' })).toBeAttached()
  await expect(who).toBeFocused()
  await page.getByLabel('How it ended').selectOption('Talked')
  await expect(filters).toHaveAccessibleName(/^Filters ?, 2 on$/)
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
  await page.goBack()
  await expect(busy).toBeVisible()
  await expect(page.getByLabel('How it ended')).toHaveValue('')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(free).toBeVisible()
  await expect(who).toBeFocused()
  await page.goto('/call-history#outcome=busy&to=2099-12-31')
  await expect(busy).toBeVisible()
  await expect(free).toBeHidden()

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'These calls as CSV' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  expect(csv).toMatch(/,"'\+12125550101",,United States,Busy,0,0,0\.02/)
  expect(csv).not.toContain('0104')

  await page.goto('/call-history')
  await free.getByRole('link', { name: /^Receipt for/ }).click()
  await expect(page.getByRole('heading', { name: 'Call receipt' })).toBeVisible()
  await expect(page.getByText('One of you hung up.')).toBeVisible()
  await expect(page.getByRole('row', { name: /^Total/ })).toContainText('Free')
  await expect(page.getByText(/^Ledger: L-\d+\.$/)).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await page.emulateMedia({ media: null })

  await page.goBack()
  await busy.getByRole('button', { name: 'Save +1 212 555 0101' }).click()
  await page.getByRole('dialog', { name: 'Save Contact' }).getByLabel('Contact Name').fill('Busy Bee')
  await page.getByRole('button', { name: 'Save contact' }).click()
  await expect(busy).toContainText('Busy Bee')
  await expect(busy.getByRole('link', { name: /^Call Busy Bee again/ })).toBeFocused()
  expect(await violationsEverywhere(page)).toEqual([])
  await busy.getByRole('link', { name: /^Call .* again/ }).click()
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue(/212 ?555 ?0101/)
})

test('the days of the filter have room for a whole date, beside each other or one beneath the other', async ({
  page,
}) => {
  await signUp(page, { at: '/call-history#from=2026-11-22' })
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const days = page.locator('main input[type=date]')
    await expect(days).toHaveCount(2)
    for (const day of await days.all()) {
      const { wide, needed } = await day.evaluate(field => {
        const alone = field.cloneNode() as HTMLInputElement
        alone.removeAttribute('id')
        Object.assign(alone.style, { position: 'absolute', inlineSize: 'max-content' })
        document.body.append(alone)
        const needed = alone.getBoundingClientRect().width
        alone.remove()
        return { wide: field.getBoundingClientRect().width, needed }
      })
      expect(wide, `${width} px`).toBeGreaterThanOrEqual(needed)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})
