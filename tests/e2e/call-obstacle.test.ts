// @covers src/voice/call-obstacle.ts
import { chromium, type Page } from 'playwright/test'
import { violationsEverywhere } from '#support/axe.ts'
import { browserFlags } from '#support/browser-flags.ts'
import { expect, test } from '#support/e2e.ts'
import { dial, signUp } from '#support/people.ts'

const unsupported = "This browser can't make calls. Use Chrome, Edge, Firefox or Safari."
const insecure = 'Calls only work on a secure page. Open this address with https://.'
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

test('tells a browser without WebRTC so before it calls, at the press of Call, and in the line check', async ({
  page,
  farline,
}) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await page.addInitScript(() => Reflect.deleteProperty(window, 'RTCPeerConnection'))
  const tokens: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/token')) tokens.push(request.url())
  })
  await signUp(page)
  await expect(alert(page, unsupported)).toBeVisible()
  expect(await violationsEverywhere(page)).toEqual([])

  await dial(page, '2125550100')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(alert(page, unsupported)).toBeVisible()
  await expect(page.getByText('Free Call Available')).toBeVisible()
  expect(tokens).toEqual([])
  expect(await farline.liveCalls()).toEqual([])

  await page.getByRole('button', { name: 'Sound', exact: true }).click()
  await page.getByRole('dialog', { name: 'Sound' }).getByRole('button', { name: 'Check your line' }).click()
  const check = page.getByRole('dialog', { name: 'Check your line' })
  await expect(check.getByRole('listitem').filter({ hasText: 'Microphone' })).toContainText(unsupported)
  await expect(check.getByRole('listitem').filter({ hasText: 'Connection' })).toContainText(
    "You can't make calls here.",
  )
  await expect(page.getByText('No microphone found')).toHaveCount(0)
})

test('a page over plain http, as on the local network, says that calls need https', async ({ farline }) => {
  const host = 'farline.example'
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [...browserFlags, `--host-resolver-rules=MAP ${host} 127.0.0.1`],
  })
  try {
    const page = await browser.newPage({ baseURL: farline.url.replace('localhost', host) })
    await page.goto('/call')
    await expect(alert(page, insecure)).toBeVisible()
  } finally {
    await browser.close()
  }
})
