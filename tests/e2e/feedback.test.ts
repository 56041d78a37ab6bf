// @covers src/islands/dialler/feedback server/support
import type { Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'
import type { TestServer } from '#support/test-server.ts'

/** Lets chance fall into the three of ten in which the page asks, or into the other seven. */
async function drawChance(page: Page, asks: boolean): Promise<void> {
  await page.addInitScript(asking => {
    const draw = Math.random
    Math.random = asking ? () => draw() * 0.3 : () => 0.3 + draw() * 0.7
  }, asks)
}

/** Talks for this long by the server's clock; at the end the page has received the call's outcome. */
async function holdCall(page: Page, farline: TestServer, ms: number): Promise<void> {
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await farline.advance(ms)
  const answered = page.waitForResponse('**/api/protected/me')
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await answered
  const receipt = page.getByRole('region', { name: 'Call ended' })
  await expect(receipt).toBeVisible()
  // On small screens the page asks once the receipt is closed.
  if ((page.viewportSize()?.width ?? 0) >= 896) return
  await expect(prompt(page)).toHaveCount(0)
  await receipt.getByRole('button', { name: 'Close' }).click()
}

/** Somebody with credit for more than the free call. */
async function signUpWithCredit(page: Page, farline: TestServer): Promise<void> {
  const email = await signUp(page)
  await farline.credit(email, 5)
}

const prompt = (page: Page) => page.getByRole('dialog', { name: 'How was your call?' })
const thanks = (page: Page) => page.getByRole('dialog', { name: 'Thank you!' })
/** Long after it would have come. */
const afterwards = (page: Page) => page.waitForTimeout(1000)

for (const [width, height, tag] of [
  [320, 400, []],
  [1280, 800, ['@full']],
] as const) {
  test(`after a call of half a minute a user rates it, and is not asked again, ${width} px wide`, {
    tag: [...tag],
  }, async ({ page, farline }) => {
    await page.setViewportSize({ width, height })
    await drawChance(page, true)
    await signUpWithCredit(page, farline)
    await holdCall(page, farline, 31_000)
    await expect(prompt(page)).toBeVisible()
    const send = prompt(page).getByRole('button', { name: 'Send' })
    await expect(send).toBeDisabled()
    expect(await violationsEverywhere(page)).toEqual([])
    const wrong = prompt(page).getByRole('group', { name: 'What went wrong?' })
    await prompt(page).getByText('4', { exact: true }).click()
    await expect(wrong).toHaveCount(0)
    await prompt(page)
      .getByRole('group', { name: 'From 1, poor, to 5, clear' })
      .getByText('2', { exact: true })
      .click()
    const chosen = prompt(page).locator('label:has(:focus)')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    for (const issue of [
      'Audio delay',
      'Choppy audio',
      'Dropped call',
      'Echo',
      'Noisy call',
      'One-way audio',
    ]) {
      await expect(prompt(page).getByRole('radio', { name: issue })).toBeChecked()
      await expect(chosen).toHaveText(issue)
      await expect(chosen).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Shift+Tab')
    await expect(chosen).toHaveText('2')
    await expect(chosen).toBeInViewport({ ratio: 1 })
    // Pressed once more, nothing went wrong after all.
    const echo = prompt(page).getByRole('group', { name: 'What went wrong?' }).getByText('Echo')
    await echo.click()
    await echo.click()
    await expect(prompt(page).getByRole('radio', { name: 'Echo' })).not.toBeChecked()
    await echo.click()
    const answered = page.waitForRequest('**/api/feedback')
    await send.click()
    expect((await answered).postDataJSON()).toMatchObject({ score: 2, issue: 'echo' })
    await expect(thanks(page).getByText('We really appreciate your feedback.')).toBeVisible()
    await expect(thanks(page).getByRole('heading')).toBeFocused()
    await expect(thanks(page)).toBeHidden({ timeout: 2500 })

    await holdCall(page, farline, 31_000)
    await afterwards(page)
    await expect(prompt(page)).toHaveCount(0)
    await page.reload()
    await holdCall(page, farline, 31_000)
    await afterwards(page)
    await expect(prompt(page)).toHaveCount(0)
  })
}

test('the review site opens in a new tab once the feedback is submitted', async ({
  page,
  context,
  farline,
}) => {
  await drawChance(page, true)
  await signUp(page)
  await holdCall(page, farline, 31_000)
  const review = prompt(page).getByRole('button', { name: 'Review us on an independent site' })
  await expect(review).toBeDisabled()
  await prompt(page).getByText('5', { exact: true }).click()
  const submitted = page.waitForResponse('**/api/feedback')
  const opened = context.waitForEvent('page')
  await review.click()
  expect((await submitted).status()).toBe(204)
  await expect(thanks(page)).toBeVisible()
  const tab = await opened
  await expect(tab).toHaveURL(/\/dev\/review$/)
  await expect(tab.getByRole('heading', { name: 'Review Farline' })).toBeVisible()
  expect(await violationsEverywhere(tab)).toEqual([])
})

test('No Thanks and Close just close, and a later call asks again', async ({ page, farline }) => {
  await drawChance(page, true)
  await signUpWithCredit(page, farline)
  await holdCall(page, farline, 31_000)
  await prompt(page).getByRole('button', { name: 'No Thanks' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await holdCall(page, farline, 2000)
  await prompt(page).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('feedback that cannot be sent is thanked for all the same', { tag: '@core' }, async ({
  page,
  farline,
}) => {
  await drawChance(page, true)
  await signUp(page)
  await holdCall(page, farline, 31_000)
  await page.route('**/api/feedback', route => route.abort())
  await prompt(page).getByText('1', { exact: true }).click()
  await prompt(page).getByRole('button', { name: 'Send' }).click()
  await expect(thanks(page)).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
})

test('does not ask a user whose calls were all short, nor after seven calls of ten', async ({
  page,
  farline,
}) => {
  await drawChance(page, true)
  await signUpWithCredit(page, farline)
  await holdCall(page, farline, 5000)
  await afterwards(page)
  await expect(prompt(page)).toHaveCount(0)

  await drawChance(page, false)
  await page.reload()
  await holdCall(page, farline, 31_000)
  await afterwards(page)
  await expect(prompt(page)).toHaveCount(0)
})

test('a user who rates a call as poor gets its charge back with the same answer', async ({
  page,
  farline,
}) => {
  await drawChance(page, true)
  await signUpWithCredit(page, farline)
  await holdCall(page, farline, 12_000)
  await holdCall(page, farline, 31_000)
  await expect(prompt(page)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Call ended', includeHidden: true })).toBeInViewport()
  await prompt(page).getByText('2', { exact: true }).click()
  await expect(prompt(page).getByText('Choose what went wrong, and you can get $0.02 back.')).toBeVisible()
  await prompt(page).getByText('Echo').click()
  await prompt(page).getByRole('checkbox', { name: 'Refund $0.02 to my balance' }).check()
  expect(await violationsEverywhere(page)).toEqual([])
  await prompt(page).getByRole('button', { name: 'Send' }).click()
  await expect(thanks(page)).toBeVisible()
  await expect(page.getByText('$0.02 is back in your balance.')).toBeVisible()
  await expect(page.getByText('Balance: $5.00')).toBeVisible()
})
