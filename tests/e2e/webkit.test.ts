// @covers src/pages
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { test as base, expect } from '#support/e2e.ts'
import { newAddress, password, readConfirmationLink } from '#support/people.ts'
import { publicPages } from '#support/public-pages.ts'
import { openWatchedSite, type WatchedSite } from '#support/watched-site.ts'
import type { DrivenPage } from '#support/webdriver.ts'
import { launchWebkit, whyNoWebkit } from '#support/webkit.ts'
import { xpaths } from '#support/xpaths.ts'

interface Fixtures {
  /** A page in WebKit, as tall as a phone. */
  webkit: DrivenPage
  site: WatchedSite
}

/** The server is as `npm start` has it; the browser is WebKit alone. */
const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  webkit: async ({}, use, info) => {
    const page = await launchWebkit()
    await page.resize(390, 800)
    await use(page)
    if (info.error !== undefined) writeFileSync(info.outputPath('webkit.png'), await page.screenshot())
    await page.close()
  },
  site: async ({ farline }, use) => {
    const site = await openWatchedSite(farline.url)
    await use(site)
    site.close()
  },
  faults: async ({ site, farline }, use) => {
    await use([])
    expect(site.faults).toEqual([])
    expect(await farline.findBreaches()).toEqual([])
  },
})

const missing = whyNoWebkit()
// Workers load this file as well, and need not repeat it.
if (missing !== undefined && process.env['TEST_WORKER_INDEX'] === undefined)
  console.log(`SKIPPED: ${missing}`)
test.skip(missing !== undefined, missing)
test.describe.configure({ timeout: 180_000 })

const { button, field, heading, label, link, text } = xpaths
const bar = '//header'
const country = '//button[starts-with(@aria-label, "Country: ")]'
const noCalls = "This browser can't make calls. Use Chrome, Edge, Firefox or Safari."

/** Registers by the form, and confirms the address. @returns the address */
async function signUp(page: DrivenPage, url: string): Promise<string> {
  const email = newAddress('webkit')
  await page.goto(`${url}/register`)
  await page.fill(field('E-mail'), email)
  await page.fill(field('Password'), password)
  await page.click(button('Register'))
  await page.see(text(`We sent a link to ${email}`))
  const confirmation = new URL(await readConfirmationLink(url, email))
  await page.goto(url + confirmation.pathname + confirmation.hash)
  await page.click(link('Make your free call'))
  await page.click(button('Skip tutorial'))
  return email
}

/** What the field with this label holds. */
async function valueIn(page: DrivenPage, label: string): Promise<string> {
  return page.evaluate(
    xpath =>
      (
        document.evaluate(xpath, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE)
          .singleNodeValue as HTMLInputElement
      ).value,
    field(label),
  )
}

function pathOf(page: DrivenPage): Promise<string> {
  return page.evaluate(() => location.pathname)
}

function backgroundOf(page: DrivenPage): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
}

test('every public page works in WebKit, and fits a phone and a desktop', async ({ webkit: page, site }) => {
  for (const path of publicPages) {
    await page.goto(site.url + path)
    for (const width of [390, 1280]) {
      await page.resize(width, 800)
      const { title, headings, overflow } = await page.evaluate(() => ({
        title: document.title,
        headings: document.querySelectorAll('h1').length,
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }))
      expect(title, path).toContain('Farline')
      expect(headings, path).toBe(1)
      expect(overflow, `${path}, ${width} px`).toBeLessThanOrEqual(0)
    }
  }
})

test('a user with WebKit registers, logs in again, reads that it cannot call, and tops up', async ({
  webkit: page,
  site,
  farline,
}) => {
  await page.goto(`${site.url}/register`)
  // What is left before the form is alive is checked when it is sent.
  await expect.poll(() => page.evaluate(() => document.querySelector('main astro-island[ssr]'))).toBe(null)
  await page.fill(field('E-mail'), 'someone')
  // The message moves what is below, so the button is pressed when it is there.
  await page.click(field('Password'))
  await page.see(text("That isn't an e-mail address yet."))
  await page.click(button('Register'))
  await page.see(text('Use at least 8 characters.'))
  const email = await signUp(page, site.url)

  await page.resize(1280, 800)
  await page.click(bar + button('Logout'))
  await expect.poll(() => pathOf(page)).toBe('/')
  await page.click(bar + link('Login'))
  await page.fill(field('E-mail'), email)
  await page.fill(field('Password'), `not ${password}`)
  await page.click(`//main${button('Login')}`)
  await page.see(text("That e-mail and password don't match."))
  await page.fill(field('Password'), password)
  await page.click(`//main${button('Login')}`)
  await expect.poll(() => pathOf(page)).toBe('/call')
  await page.see(text('Free Call Available'))

  // Debian's WebKit lacks WebRTC. The dialler works but for the call.
  await page.resize(390, 800)
  expect(await page.evaluate(() => 'RTCPeerConnection' in window)).toBe(false)
  await page.see(text(noCalls))
  for (const key of ['2', '1', '2', '5', '5', '5', '0', '1', '0', '0'])
    await page.click(
      `//*[@role="group"][@aria-label="Keypad"]//button[starts-with(normalize-space(), "${key}")]`,
    )
  expect(await valueIn(page, 'Phone number')).toBe('2125550100')
  await page.see(text('+1 212 555 0100'))

  await page.click(country)
  await page.fill(field('Search countries'), 'united k')
  await page.see('//*[@role="option"][contains(normalize-space(), "United Kingdom")]')
  await page.click('//*[@role="option"][contains(normalize-space(), "United Kingdom")]')
  expect(await page.nameOf(country)).toBe('Country: United Kingdom +44')
  await page.fill(field('Phone number'), '020 7946 0958')
  await page.see(text('+44 20 7946 0958'))
  await page.click(button('Call'))
  await page.see(text(noCalls))
  expect(await farline.liveCalls()).toEqual([])

  // The checkout leads back to the server's own address: another port of this host, and cookies are the host's.
  await page.goto(`${farline.url}/buy-credits?amount=25`)
  await page.click(button('Secure Checkout'))
  await page.see(heading('Pay Farline $25.00'))
  await page.click(label('succeeds'))
  await page.click(button('Pay $25.00'))
  await page.see(heading('Paid, $25.00'))
  await expect.poll(() => pathOf(page), { timeout: 20_000 }).toBe('/call')
  await page.goto(`${farline.url}/billing-history`)
  await page.see(text('+$25.00'))
})

test('a visitor with WebKit switches the theme, reads what a call costs, and sees no arrows in a field', async ({
  webkit: page,
  site,
}) => {
  await page.resize(1280, 800)
  await page.goto(site.url)
  expect(await backgroundOf(page)).toBe('rgb(244, 239, 227)')
  // Its label has a text for each theme, of which one is hidden.
  const themeSwitch = '//header//button[contains(normalize-space(), "Switch to dark theme")]'
  expect(await page.nameOf(themeSwitch)).toBe('Switch to dark theme')
  await page.click(themeSwitch)
  await expect.poll(() => backgroundOf(page)).toBe('rgb(13, 21, 38)')
  await page.goto(`${site.url}/buy-credits`)
  expect(await backgroundOf(page)).toBe('rgb(13, 21, 38)')
  expect(await page.nameOf(themeSwitch)).toBe('Switch to light theme')

  const cost = () => page.evaluate(() => document.querySelector('#calculator output')?.textContent)
  await expect.poll(cost).toBe('$0.10')
  await page.fill(field('Minutes'), '12')
  await expect.poll(cost).toBe('$0.24')
  await page.click(button('One minute more'))
  await expect.poll(cost).toBe('$0.26')

  await page.resize(1280, 1000)
  /** The colours at the end of the field, where the arrows were. */
  const colours = async () => {
    const { right, top, height } = await page.evaluate(
      () => document.querySelector('#custom-amount')?.getBoundingClientRect().toJSON() as DOMRect,
    )
    const end = { left: Math.round(right) - 40, top: Math.round(top) + 6, width: 32, height: height - 12 }
    const pixels = await sharp(await page.screenshot())
      .removeAlpha()
      .extract(end)
      .raw()
      .toBuffer()
    return new Set(pixels.toString('hex').match(/.{6}/g))
  }
  // Letters of another typeface may still move the field.
  await expect.poll(async () => [...(await colours())]).toHaveLength(1)
})

test('a visitor with WebKit who follows a link while the page still loads its parts gets there', async ({
  webkit: page,
  site,
}) => {
  await page.resize(1280, 800)
  const held = site.hold(/^\/_astro\/Calculator\.|^\/faq/)
  await page.goto(`${site.url}/buy-credits`)
  await held.asked
  const followed = page.click(bar + link('FAQ'))
  await held.dropped
  // Astro asks for a part again after a second; only then is it missing, and a page that does not know that it is
  // left reloads.
  await sleep(2500)
  held.release()
  await followed
  await page.see(heading('Questions'))
  expect(await pathOf(page)).toBe('/faq')
})

test('without a connection WebKit shows that the line is down, and comes back', async ({
  webkit: page,
  site,
}) => {
  await page.goto(`${site.url}/call`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.goto(`${site.url}/faq`)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  site.lose(true)
  await page.goto(`${site.url}/destinations`)
  await page.see(heading('The line is down'))
  expect(await pathOf(page)).toBe('/destinations')
  await page.click(button('Try again'))
  await page.see(heading('The line is down'))
  site.lose(false)
  await page.click(button('Try again'))
  await page.see(heading('Destinations'))
})
