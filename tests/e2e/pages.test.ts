// @covers src/pages src/components
import { expect, test } from '#support/e2e.ts'
import { blankPage, signUp } from '#support/people.ts'

test('signed-in people see their links before anything else runs, visitors see theirs', async ({ page }) => {
  await page.goto('/')
  const bar = page.getByRole('banner')
  await expect(bar.getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(bar.getByRole('link', { name: 'History' })).toBeHidden()
  await signUp(page, { at: '/' })
  await expect(bar.getByRole('link', { name: 'History' })).toBeVisible()
  await expect(bar.getByRole('link', { name: 'Login' })).toBeHidden()
  const left = page.waitForEvent('load')
  await bar.getByRole('button', { name: 'Logout' }).click()
  await left
  await expect(bar.getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto('/call-history')
  await expect(page).toHaveURL(/\/login\?next=/)
})

test('asks for no session for a visitor, whose console stays empty; a user keeps theirs without a stored token', async ({
  page,
}) => {
  const refreshes: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/auth/refresh-token')) refreshes.push(page.url())
  })
  const errors: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`)
  })
  for (const path of ['/', '/buy-credits', '/call', '/register', '/login', '/forgot-password']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.waitForFunction(() => document.querySelector('main astro-island[ssr]') === null)
  }
  await page.goto('/referrals')
  await expect(page).toHaveURL(/\/login\?next=/)
  expect([refreshes, errors]).toEqual([[], []])

  await signUp(page, { at: blankPage })
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.goto('/referrals')
  await expect(page.getByText('You get $5')).toBeVisible()
  expect(refreshes).toHaveLength(1)
  const left = page.waitForEvent('load')
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await left
  await page.goto('/buy-credits', { waitUntil: 'networkidle' })
  await page.reload({ waitUntil: 'networkidle' })
  expect([refreshes.length, errors]).toEqual([1, []])
})

test('a page that is not there says so with status 404', async ({ page }) => {
  const answer = await page.goto('/nowhere')
  expect(answer?.status()).toBe(404)
})

test('the dialler works by keyboard alone', { tag: '@core' }, async ({ page, farline }) => {
  await signUp(page)
  const number = page.getByRole('textbox', { name: 'Phone number' })
  for (let presses = 0; presses < 30; presses += 1) {
    if (await number.evaluate(field => field === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('2125550100')
  await page.keyboard.press('Enter')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  const hangUp = page.getByRole('button', { name: 'Hang up' })
  for (let presses = 0; presses < 30; presses += 1) {
    if (await hangUp.evaluate(button => button === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect.poll(() => farline.liveCalls()).toEqual([])
})
