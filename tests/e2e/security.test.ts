// @covers server/http
import type { Page } from 'playwright/test'
import { voiceClientHosts } from '#server/telephony/twilio/browser-hosts.ts'
import { browserFlags } from '#support/browser-flags.ts'
import { readBuiltSite } from '#support/built-site.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'
import { openVendorEdge } from '#support/vendor-edge.ts'

const edge = await openVendorEdge()
if (edge === undefined)
  console.log(
    'SKIPPED: a call by the voice vendor’s hosts: openssl is not installed. Debian: `apt-get install openssl`.',
  )

// The vendor's hosts are this machine here: nothing leaves it.
test.use({
  launchOptions: {
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      ...browserFlags,
      '--ignore-certificate-errors',
      `--host-resolver-rules=MAP *.twilio.com:443 127.0.0.1:${edge?.port ?? 9}, MAP *.twilio.com 127.0.0.1`,
    ],
  },
})
test.afterAll(() => edge?.close())

/** Errors that the browser itself logs: blocked by the policy, not found, not executed. */
function listenForErrors(page: Page): readonly string[] {
  const errors: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`)
  })
  return errors
}

async function visit(page: Page, routes: readonly string[]): Promise<void> {
  const errors = listenForErrors(page)
  for (const route of routes) {
    // A page that has nothing to show redirects by itself, perhaps while the next one is loading. The browser then
    // drops the visit without an error, so the wait for it has a limit of its own.
    await expect(async () => {
      await page.goto(route, { timeout: 5_000 })
      await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve, { timeout: 1000 })))
    }).toPass({ timeout: 20_000 })
  }
  // Not found, not named by the link, not an operator: the pages say so. Mails in the local inbox run no script, and so
  // not the one with which these stories listen.
  const expected = /the server responded with a status of 40[014]|\/dev\/\w+: Blocked script execution/
  const unexpected = errors.filter(error => !expected.test(error))
  expect(unexpected).toEqual([])
}

/** Pages of a folder are alike: two of each stand for all, which are visited in the long run. */
function firstOfEach(routes: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return routes.filter(route => {
    const folder = route.slice(0, route.lastIndexOf('/'))
    seen.set(folder, (seen.get(folder) ?? 0) + 1)
    return folder === '' || folder === '/dev' || (seen.get(folder) ?? 0) <= 2
  })
}

const routes = [...readBuiltSite().keys()]

test('no page asks for anything that the security policy forbids, or fails in another way', async ({
  page,
}) => {
  test.slow()
  await signUp(page)
  await visit(page, firstOfEach(routes))
})

test('neither does any of all the pages @full', async ({ page }) => {
  test.setTimeout(300_000)
  await signUp(page)
  await visit(page, routes)
})

test('a call by the voice vendor’s hosts stays within the policy, and asks nobody else for anything', async ({
  page,
  farline,
}) => {
  test.skip(edge === undefined, 'openssl is not installed')
  if (edge === undefined) return
  edge.leadTo(farline.url)
  await signUp(page)
  // As if the vendor was configured: the dialler's policy names its hosts, and the client is sent there.
  await page.route('**/call', async route => {
    const answer = await route.fetch()
    const policy = answer.headers()['content-security-policy'] ?? ''
    const named = policy.replace(/(connect-src [^;]*)/, `$1 ${voiceClientHosts.join(' ')}`)
    await route.fulfill({
      response: answer,
      headers: { ...answer.headers(), 'content-security-policy': named },
    })
  })
  await page.route('**/api/token*', async route => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), route: { kind: 'vendor' } } })
  })
  // A page that a test hands over comes from nowhere, and this machine is nearer than that.
  await page.context().grantPermissions(['local-network-access', 'microphone'])
  const hosts = new Set<string>()
  page.on('request', request => hosts.add(new URL(request.url()).host))
  page.on('websocket', socket => hosts.add(new URL(socket.url()).host))
  const errors = listenForErrors(page)
  await page.goto('/call')
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.keyboard.press('5')
  await expect(page.getByRole('timer')).toHaveText(/00:0[2-9]/)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  expect([...new Set(edge.asked)]).toEqual(['voice-js.roaming.twilio.com/signal'])
  expect([...hosts].sort()).toEqual([new URL(farline.url).host, 'voice-js.roaming.twilio.com'].sort())
  expect(errors).toEqual([])
})

test('without the vendor configured its hosts are out of reach', async ({ page, faults }) => {
  await page.goto('/call')
  await page.evaluate(
    host =>
      new Promise(resolve => {
        document.addEventListener('securitypolicyviolation', resolve)
        new WebSocket(`${host}/signal`)
      }),
    voiceClientHosts[0],
  )
  await expect.poll(() => faults.length).toBe(1)
  expect(faults.splice(0)).toEqual([expect.stringContaining(`connect-src ${voiceClientHosts[0]}`)])
})

test('no text becomes part of a page, and what was blocked is reported', { tag: '@core' }, async ({
  page,
  faults,
}) => {
  const reported = page.waitForRequest(request => new URL(request.url()).pathname === '/api/csp')
  await page.goto('/support')
  const outcome = await page.evaluate(() => {
    try {
      document.body.innerHTML = '<b>from elsewhere</b>'
      return 'taken'
    } catch (error) {
      return String(error)
    }
  })
  expect(outcome).toMatch(/^TypeError/)
  expect((await (await reported).response())?.status()).toBe(204)
  await expect.poll(() => faults.length).toBe(1)
  expect(faults.splice(0)).toEqual([expect.stringContaining('require-trusted-types-for')])
})
