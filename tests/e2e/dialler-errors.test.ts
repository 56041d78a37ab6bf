// @covers src/islands/dialler/status-message.ts src/islands/dialler/StatusLine.tsx
import type { Page, Route } from 'playwright/test'
import { expect, test } from '#support/e2e.ts'
import { dial, saveNumber, signUp } from '#support/people.ts'

/** Each error of the dialler in SPEC-8.3 to SPEC-8.24, as it really happens. */

const demoLine = '2125550100'
const out = (status: number) => (route: Route) => route.fulfill({ status, json: {} })
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

/** No WebSocket to the real-time service opens from the next page on, as behind some proxies. */
async function loseWebSocket(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(String(url).replace('/socket.io/', '/nowhere/'), protocols)
      }
    }
  })
}

/** The real-time socket cannot be opened in any way from the next page on. */
async function loseSocket(page: Page): Promise<void> {
  await loseWebSocket(page)
  await page.route('**/socket.io/**', route => route.abort())
}

test('a token that is not issued or not accepted, a rate that cannot be read, an account restricted meanwhile', async ({
  page,
  farline,
}) => {
  const email = await signUp(page)
  await page.route('**/api/token', out(500))
  await dial(page, demoLine)
  await expect(alert(page, 'Something went wrong. Please try again.')).toBeVisible()
  await page.unroute('**/api/token')
  await page.route('**/api/token', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), token: 'not.a.token' } })
  })
  await dial(page, demoLine)
  await expect(alert(page, "We couldn't start the call. Please try again.")).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.reload()
  await expect(page.getByText('Free Call Available')).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Phone number' })
  await page.route('**/api/rates/number/**', out(500))
  // The rate of the line above is known by now.
  await field.fill('2125550111')
  await expect(page.getByText('$0.050 per minute (estimate)')).toBeVisible()
  await page.unroute('**/api/rates/number/**')
  await field.fill('212555011')
  await field.fill('2125550111')
  await expect(page.getByText('$0.020 per minute')).toBeVisible()
  await field.fill('+999123456789')
  await expect(page.getByText('This destination is currently not supported.')).toBeVisible()

  // The page does not know yet.
  await farline.restrict(email)
  await dial(page, demoLine)
  await expect(
    alert(page, 'Your account has been restricted from making calls. Contact support for help.'),
  ).toBeVisible()
  expect(await farline.liveCalls()).toEqual([])
})

test('a balance that cannot be fetched can be asked for again; one for a cheap call alone begins no expensive one', async ({
  page,
  farline,
}) => {
  const email = await signUp(page)
  await farline.credit(email, 0.05)
  await dial(page, demoLine)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  // A shorter free call would stay free.
  await farline.advance(11_000)
  await page.route('**/api/protected/me', out(500))
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(alert(page, 'Error when fetching credits.')).toBeVisible()
  await page.unroute('**/api/protected/me')
  await page.getByRole('button', { name: 'Try again now' }).click()
  await expect(alert(page, 'Error when fetching credits.')).toHaveCount(0)
  await expect(page.getByText('Balance: $0.05')).toBeVisible()

  await dial(page, '+923001234567')
  await expect(alert(page, "You don't have enough credits to make this call")).toBeVisible()
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await expect(page.getByText('Balance: $0.05')).toBeVisible()
})

test('without WebSockets, the page still learns what happens elsewhere', async ({ page, farline }) => {
  await loseWebSocket(page)
  const polled = page.waitForRequest(/\/socket\.io\/.*transport=polling/, { timeout: 30_000 })
  const email = await signUp(page)
  await polled
  await dial(page, demoLine)
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  // A shorter call would leave the free call.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $0.00')).toBeVisible()
  await farline.credit(email, 1)
  await expect(page.getByText('Balance: $1.00')).toBeVisible()
  await expect(page.getByText('Connection issue - some features may not work')).toHaveCount(0)
})

test('a socket in trouble says so, and calls go through all the same', async ({ page }) => {
  await loseSocket(page)
  await signUp(page)
  await expect(page.getByText('Connection issue - some features may not work')).toBeVisible()
  await dial(page, demoLine)
  // Each state of a call is announced; its seconds, in the same place, are not.
  await expect(page.getByRole('status').filter({ hasText: 'In Call' })).toBeVisible()
  const timer = page.getByRole('timer', { name: 'Time in call' })
  expect(
    await timer.evaluate(element => element.closest('[role=status], [role=alert], [aria-live]')),
  ).toBeNull()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/^You hung up\. Talked/)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Call Disconnected' })).toBeAttached()
})

test('a voice client that is gone after a deploy, and a number unknown to the exchange: no call', async ({
  page,
  farline,
}) => {
  await signUp(page)
  const voiceClient = /_astro\/twilio[^/]*\.js/
  await page.route(voiceClient, route => route.fulfill({ status: 404, body: '' }))
  await dial(page, '2125550103')
  await expect(alert(page, 'Cannot establish connection. Client is disconnected')).toBeVisible()
  await expect(page.getByText("A part of this page didn't load.")).toBeVisible()
  expect(await farline.liveCalls()).toEqual([])
  await page.unroute(voiceClient)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByText("A part of this page didn't load.")).toBeHidden()
  await dial(page, '2125550103')
  await expect(alert(page, 'Unrecognised number. Please check the number and try again.')).toBeVisible()
  await expect(page.getByText('Free Call Available')).toBeVisible()
})

test('toasts stay while the user points at them or has the focus in one, and no longer', async ({ page }) => {
  await signUp(page)
  await loseSocket(page)
  await page.clock.install()
  await page.goto('/call')
  await saveNumber(page, '2125550111')
  const toasts = [
    page.getByRole('status').filter({ hasText: 'Contact saved!' }),
    page.getByRole('alert').filter({ hasText: 'Connection issue - some features may not work' }),
  ] as const
  const [thanks, issue] = toasts
  for (const toast of toasts) await expect(toast).toBeVisible()
  await thanks.hover()
  await page.clock.fastForward(10_000)
  for (const toast of toasts) await expect(toast).toBeVisible()
  await page.mouse.move(0, 0)
  await thanks.getByRole('button', { name: 'Dismiss' }).focus()
  await page.clock.fastForward(10_000)
  for (const toast of toasts) await expect(toast).toBeVisible()
  // The toast that goes takes the focus with it, so the other one is no longer held.
  await page.keyboard.press('Enter')
  await expect(thanks).toHaveCount(0)
  await expect(issue).toBeVisible()
  await page.clock.fastForward(4000)
  await expect(issue).toHaveCount(0)
})
