import type { Page } from 'puppeteer-core'
import { test as base, expect } from '#support/e2e.ts'
import { launchFirefox, listenInFirefox, selectors, whyNoFirefox } from '#support/firefox.ts'
import { observePeers } from '#support/page-audio.ts'
import { newAddress, password } from '#support/people.ts'

interface Fixtures {
  /** A page in Firefox. */
  firefox: Page
}

/** The server is as `npm start` has it; the browser is Firefox alone. */
const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  firefox: async ({}, use) => {
    const browser = await launchFirefox()
    const page = await browser.newPage()
    await page.evaluateOnNewDocument(observePeers)
    await use(page)
    await browser.close()
  },
  faults: async ({ firefox, farline }, use) => {
    const faults: string[] = []
    firefox.on('pageerror', error => faults.push(String(error)))
    await use(faults)
    expect(faults).toEqual([])
    expect(await farline.findBreaches()).toEqual([])
  },
})

const missing = whyNoFirefox()
// Workers load this file as well, and need not repeat it.
if (missing !== undefined && process.env['TEST_WORKER_INDEX'] === undefined)
  console.log(`SKIPPED: ${missing}`)
test.skip(missing !== undefined, missing)

test('a user with Firefox registers, confirms, calls, hears the tone and is heard', async ({
  firefox: page,
  farline,
}) => {
  test.setTimeout(180_000)
  const { button, field, link, text } = selectors
  const email = newAddress('firefox')
  await page.goto(`${farline.url}/register`)
  await page.locator(field('E-mail')).fill(email)
  await page.locator(field('Password')).fill(password)
  await page.locator(button('Register')).click()
  await page.locator(text(`We sent a link to ${email}`)).wait()
  await page.goto(await confirmationLink(farline.url, email))
  await page.locator(link('Make your free call')).click()
  await page.locator(button('Skip tutorial')).click()

  await page.locator(field('Phone number')).fill('2125550100')
  await page.locator(button('Call')).click()
  await page.locator(text('In Call')).wait()
  await expect(async () => {
    const heard = await listenInFirefox(page)
    expect(Math.abs(heard.hz - 1004)).toBeLessThan(8)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass({ timeout: 20_000 })
  const [callId = ''] = await farline.liveCalls()
  const receivedLevel = async () => (await farline.observe(callId))?.received.level?.dbm0 ?? Number.NaN
  await expect.poll(receivedLevel).toBeGreaterThan(-50)

  await page.locator(button('Hang up')).click()
  await page.locator(text('Call Disconnected')).wait()
  await expect.poll(() => farline.liveCalls()).toEqual([])
})

/** From the local inbox. */
async function confirmationLink(url: string, email: string): Promise<string> {
  const inbox = (await (await fetch(`${url}/dev/inbox.json`)).json()) as { to: string; text: string }[]
  const mail = inbox.find(({ to }) => to === email)?.text ?? ''
  const link = /https?:\/\/\S+\/verify-email#token=[\w-]+/.exec(mail)?.[0]
  if (link === undefined) throw new Error('no mail asks for the confirmation')
  return link
}
