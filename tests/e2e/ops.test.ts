// @covers src/islands/ops server/admin server/observability
import type { Page } from 'playwright/test'
import { violations, violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUpSecured } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'

async function printLink(farline: TestServer): Promise<string> {
  const [link = ''] = (await farline.admin('ops-link', '--as', 'Anna')).split('\n')
  return link
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('an operator opens a printed link, sees how the lines are, and is gone when the session is ended', async ({
  page,
  browser,
  farline,
}) => {
  // Two users set up an authenticator app.
  test.setTimeout(120_000)
  await signUpSecured(page, farline)
  await page.goto('/ops')
  await expect(heading(page)).toHaveText('For operators')
  const link = await printLink(farline)
  // In the same tab, only what follows the # changes.
  await page.goto(link)
  await expect(heading(page)).toHaveText('Lines')
  expect(page.url()).not.toContain('sign-in')
  await expect(page.getByText('Everything is within its limits')).toBeVisible()
  await expect(page.getByText('The database answers')).toBeVisible()
  await expect(page.getByText(/^Process \w+ is running$/)).toBeVisible()
  await expect(page.locator('figure canvas')).toHaveCount(9)
  await page.getByText('7 days', { exact: true }).click()
  await expect(page.getByText('The last 7 days, in your time zone.')).toBeVisible()
  await page.getByText('The same as a table').click()
  await expect(page.getByRole('region', { name: 'Hour by hour' }).getByRole('rowheader')).toHaveCount(168)
  expect(await violations(page)).toEqual([])

  const other = await browser.newContext()
  const second = await other.newPage()
  await signUpSecured(second, farline)
  await second.goto(link)
  await expect(heading(second)).toHaveText('This link no longer works')
  await other.close()

  const listed = await farline.admin('ops-sessions')
  expect(listed).toContain('Anna')
  await farline.admin('ops-sessions', '--end')
  await page.getByText('24 hours', { exact: true }).click()
  await expect(heading(page)).toHaveText('For operators')
})

test('an operator sees from which browsers calls are placed', async ({ page, farline }) => {
  await signUpSecured(page, farline)
  await page.goto('/call')
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByRole('region', { name: 'Call ended' })).toBeVisible()
  // What the test before saw is remembered for a minute.
  await farline.advance(60_001)
  await page.goto(await printLink(farline))
  const row = page.getByRole('region', { name: 'Calls by browser' }).getByRole('row').nth(1)
  await expect(row.getByRole('rowheader')).toHaveText(/^Chromium on LinuxVersion \d+$/)
  // Other stories of this server may have called, too.
  await expect(row.getByRole('cell').first()).toHaveText(/^[1-9]\d*$/)
  expect(await violations(page)).toEqual([])
})

test('the operator’s page fits a small screen, in both themes @full', async ({ page, farline }) => {
  await signUpSecured(page, farline)
  await page.goto(await printLink(farline))
  await expect(heading(page)).toHaveText('Lines')
  expect(await violationsEverywhere(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 700 })
  // Room that is kept for a scrollbar may make it less.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  const blue = () =>
    page
      .locator('[data-tone=first]')
      .first()
      .evaluate(probe => getComputedStyle(probe).color)
  const before = await blue()
  await page.getByRole('button', { name: /Switch to (dark|light) theme/ }).click()
  expect(await blue()).not.toBe(before)
  await expect(page.locator('figure canvas')).toHaveCount(9)
  await page.getByRole('button', { name: 'Log out Anna' }).click()
  await expect(heading(page)).toHaveText('For operators')
})
