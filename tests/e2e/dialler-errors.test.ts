import type { Page, Route } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

/** Each row of the specification's error catalogue (section 8) about the dialler, as it really happens. */

const demoLine = '2125550100'
const out = (status: number) => (route: Route) => route.fulfill({ status, json: {} })
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

test('a token that is not given: restricted meanwhile, or out of order', async ({ page, farline }) => {
  const email = await signUp(page)
  await page.route('**/api/token', out(500))
  await dial(page, demoLine)
  await expect(alert(page, 'Something went wrong. Please try again.')).toBeVisible()
  await page.unroute('**/api/token')
  // The page has not heard of it yet.
  await farline.restrict(email)
  await dial(page, demoLine)
  await expect(
    alert(page, 'Your account has been restricted from making calls. Contact support for help.'),
  ).toBeVisible()
  expect(await farline.liveCalls()).toEqual([])
})

test('credit for a cheap call is too little for a dear one: refused at its start', async ({
  page,
  farline,
}) => {
  const email = await signUp(page)
  await farline.admin('credit', email, '0.05', '--reason', 'an end-to-end test')
  await dial(page, demoLine)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $0.05')).toBeVisible()
  await dial(page, '+923001234567')
  await expect(alert(page, "You don't have enough credits to make this call")).toBeVisible()
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await expect(page.getByText('Balance: $0.05')).toBeVisible()
})

test('a balance that cannot be fetched after a call says so, and can be asked for again', async ({
  page,
}) => {
  await signUp(page)
  await dial(page, demoLine)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.route('**/api/protected/me', out(500))
  await page.getByRole('button', { name: 'Hang up' }).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(alert(page, 'Error when fetching credits.')).toBeVisible()
  await page.unroute('**/api/protected/me')
  await page.getByRole('button', { name: 'Try again now' }).click()
  await expect(alert(page, 'Error when fetching credits.')).toHaveCount(0)
  await expect(page.getByText('Balance: $0.00')).toBeVisible()
})

test('a rate that cannot be read is an estimate; a destination that is not sold is none', async ({
  page,
}) => {
  await signUp(page)
  const field = page.getByRole('textbox', { name: 'Phone number' })
  await page.route('**/api/rates/number/**', out(500))
  await field.fill(demoLine)
  await expect(page.getByText('$0.050 per minute (estimate)')).toBeVisible()
  await page.unroute('**/api/rates/number/**')
  await field.fill('212555010')
  await field.fill(demoLine)
  await expect(page.getByText('$0.020 per minute')).toBeVisible()
  await field.fill('+999123456789')
  await expect(page.getByText('This destination is currently not supported.')).toBeVisible()
})

test('a socket in trouble says so, and calls go through all the same', async ({ page }) => {
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(String(url).replace('/socket.io/', '/nowhere/'), protocols)
      }
    }
  })
  await page.route('**/socket.io/**', route => route.abort())
  await signUp(page)
  await expect(page.getByText('Connection issue - some features may not work')).toBeVisible()
  await dial(page, demoLine)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/^You hung up\. Talked/)).toBeVisible()
})

test('a toast stays while somebody points at it', async ({ page }) => {
  await signUp(page)
  await page.goto('/call?payment=success')
  const toast = page.getByText('Credits added successfully!')
  await toast.hover()
  await page.waitForTimeout(5000)
  await expect(toast).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(toast).toHaveCount(0, { timeout: 6000 })
})
