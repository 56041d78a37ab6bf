// @covers src/voice/audio-session.ts
import type { KeyInput, Page } from 'puppeteer-core'
import { test as base, expect } from '#support/e2e.ts'
import { launchFirefox, listenInFirefox, selectors, whyNoFirefox } from '#support/firefox.ts'
import { observePeers } from '#support/page-audio.ts'
import { newAddress, password, readConfirmationLink } from '#support/people.ts'
import { publicPages } from '#support/public-pages.ts'
import {
  roomOf,
  type SoundSet,
  type SoundSystem,
  startSoundSystem,
  whyNoSoundSystem,
} from '#support/sound-system.ts'
import type { TestServer } from '#support/test-server.ts'
import { tryAssumptions } from '#support/vendor-page.ts'

interface Fixtures {
  /** A page in Firefox. */
  firefox: Page
}

async function useFirefox(use: (page: Page) => Promise<void>, sound?: SoundSystem): Promise<void> {
  const browser = await launchFirefox(sound)
  const page = await browser.newPage()
  await page.evaluateOnNewDocument(observePeers)
  await use(page)
  await browser.close()
}

/** The server is as `npm start` has it; the browser is Firefox alone. */
const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  firefox: ({}, use) => useFirefox(use),
  faults: async ({ firefox, farline }, use) => {
    const faults: string[] = []
    firefox.on('pageerror', error => faults.push(String(error)))
    await use(faults)
    expect(await withoutLeftPages(faults)).toEqual([])
    expect(await farline.findBreaches()).toEqual([])
  },
})

/** Firefox fails modules that a page still loads when it is left. One that the server lacks is a fault. */
async function withoutLeftPages(faults: readonly string[]): Promise<readonly string[]> {
  const served = await Promise.all(
    faults.map(async fault => {
      const module = /error loading dynamically imported module: (\S+)/.exec(fault)?.[1]
      return module !== undefined && (await fetch(module)).ok
    }),
  )
  return faults.filter((_, index) => !served[index])
}

const desk: SoundSet = { microphone: 'Desk microphone', speaker: 'Desk speaker', toneHz: 440 }
const headset: SoundSet = { microphone: 'Headset microphone', speaker: 'Headset earpiece', toneHz: 700 }

interface SoundFixtures {
  /** Two microphones and two speakers, of which the desk's are the system's choice. */
  sound: SoundSystem
  /** A page in another Firefox: each opens a microphone, and lists devices, for the window in front alone. */
  callee: Page
}

/** Firefox uses real devices. */
const soundTest = test.extend<SoundFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: as above
  sound: async ({}, use) => {
    const sound = await startSoundSystem()
    sound.plug(desk)
    sound.plug(headset)
    await use(sound)
    await sound.close()
  },
  firefox: ({ sound }, use) => useFirefox(use, sound),
  callee: ({ sound }, use) => useFirefox(use, sound),
})

const missing = whyNoFirefox()
const silent = whyNoSoundSystem()
// Workers load this file as well, and need not repeat it.
if (process.env['TEST_WORKER_INDEX'] === undefined)
  for (const reason of [missing, silent]) if (reason !== undefined) console.log(`SKIPPED: ${reason}`)
test.skip(missing !== undefined, missing)

const { button, field, heading, link, linkFrom, radio, text } = selectors
const inBar = (selector: string) => selector.replace('(//', '(//header//')
const inMain = (selector: string) => selector.replace('(//', '(//main//')

/** Registers, and confirms the address. @returns the address */
async function signUp(page: Page, farline: TestServer): Promise<string> {
  const email = newAddress('firefox')
  await page.goto(`${farline.url}/register`)
  await page.locator(field('E-mail')).fill(email)
  await page.locator(field('Password')).fill(password)
  await page.locator(button('Register')).click()
  await page.locator(text(`We sent a link to ${email}`)).wait()
  await page.goto(await readConfirmationLink(farline.url, email))
  await page.locator(link('Make your free call')).click()
  await page.locator(button('Skip tutorial')).click()
  return email
}

/** Calls the number that plays 1004 Hz. @returns the server's id of the call */
async function callTheTone(page: Page, farline: TestServer): Promise<string> {
  await page.locator(field('Phone number')).fill('2125550100')
  await page.locator(button('Call')).click()
  await page.locator(text('In Call')).wait()
  await expect(async () => {
    const heard = await listenInFirefox(page)
    expect(Math.abs(heard.hz - 1004)).toBeLessThan(8)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass({ timeout: 20_000 })
  const [callId = ''] = await farline.liveCalls()
  return callId
}

declare global {
  interface Window {
    screenLocks: WakeLockSentinel[]
  }
}

/** Runs in the browser, before the page's own scripts. */
function observeScreenLocks(): void {
  window.screenLocks = []
  // An empty page has none.
  if (!('wakeLock' in navigator)) return
  const request = navigator.wakeLock.request.bind(navigator.wakeLock)
  navigator.wakeLock.request = async type => {
    const lock = await request(type)
    window.screenLocks.push(lock)
    return lock
  }
}

// One story, since each would begin with a Firefox and an account of its own, which take longer than what it is about.
test('a user with Firefox registers, calls, is heard, presses keys, mutes, has a receipt, tops up, and logs in again', async ({
  firefox: page,
  farline,
}) => {
  test.setTimeout(240_000)
  await page.evaluateOnNewDocument(observeScreenLocks)
  await page.goto(`${farline.url}/register`, { waitUntil: 'networkidle0' })
  await page.locator(field('E-mail')).fill('someone')
  await page.locator(field('Password')).click()
  await page.locator(text("That isn't an e-mail address yet.")).wait()
  await page.locator(button('Register')).click()
  await page.locator(text('Use at least 8 characters.')).wait()
  const email = await signUp(page, farline)

  // What Firefox lacks is not offered.
  const has = await page.evaluate(() => ({
    contacts: 'contacts' in navigator,
    vibration: 'vibrate' in navigator,
    microphoneState: 'setMicrophoneActive' in navigator.mediaSession,
  }))
  expect(has).toEqual({ contacts: false, vibration: false, microphoneState: false })
  await page.locator(button('Contacts')).click()
  await page.locator(button('Import')).click()
  await page.locator(text('Choose a file')).wait()
  expect(await page.$(button('Choose from this phone'))).toBeNull()
  await page.keyboard.press('Escape')
  await page.reload()

  const callId = await callTheTone(page, farline)
  const receivedLevel = async () => (await farline.observe(callId))?.received.level?.dbm0 ?? Number.NaN
  await expect.poll(receivedLevel).toBeGreaterThan(-50)
  const locked = () => page.evaluate(() => window.screenLocks.filter(({ released }) => !released).length)
  const named = () => page.evaluate(() => navigator.mediaSession.metadata?.title)
  await expect.poll(locked).toBe(1)
  expect(await named()).toBe('+1 212 555 0100')
  await page.locator(button('Keypad')).click()
  for (const key of '1590#') await page.keyboard.press(key as KeyInput)
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe('1590#')
  await page.locator(button('Mute')).click()
  await page.locator(button('Muted')).wait()
  await expect.poll(receivedLevel, { timeout: 15_000 }).toBeLessThan(-60)
  await page.locator(button('Muted')).click()
  await expect.poll(receivedLevel, { timeout: 15_000 }).toBeGreaterThan(-50)
  await page.locator(button('Hang up')).click()
  await page.locator(text('Call Disconnected')).wait()
  await expect.poll(locked).toBe(0)
  expect(await named()).toBeUndefined()
  await expect.poll(() => farline.liveCalls()).toEqual([])
  await page.goto(`${farline.url}/call-history`)
  await page.locator(linkFrom('Receipt for')).click()
  await page.locator(heading('Call receipt')).wait()

  await page.goto(`${farline.url}/buy-credits?amount=25`)
  await page.locator(button('Secure Checkout')).click()
  await page.locator(heading('Pay Farline $25.00')).wait()
  await page.locator(radio('succeeds')).click()
  await page.locator(button('Pay $25.00')).click()
  await page.locator(heading('Paid, $25.00')).wait()
  await page.waitForFunction(() => location.pathname === '/call')
  await page.goto(`${farline.url}/billing-history`)
  await page.locator(text('+$25.00')).wait()

  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(`${farline.url}/support`)
  await page.locator(inBar(button('Logout'))).click()
  await page.waitForFunction(() => location.pathname === '/')
  await page.goto(`${farline.url}/login`, { waitUntil: 'networkidle0' })
  await page.locator(field('E-mail')).fill(email)
  await page.locator(field('Password')).fill(`not ${password}`)
  await page.locator(inMain(button('Login'))).click()
  await page.locator(text("That e-mail and password don't match.")).wait()
  await page.locator(field('Password')).fill(password)
  await page.locator(inMain(button('Login'))).click()
  await page.waitForFunction(() => location.pathname === '/call')
})

test('the voice client in Firefox is inside as we assume', async ({ firefox: page, farline }) => {
  test.setTimeout(240_000)
  expect(await tryAssumptions(page, farline)).toEqual({})
})

soundTest.describe('with several devices', () => {
  soundTest.skip(silent !== undefined, silent)

  soundTest(
    'a handset in Firefox is called by another Firefox, and hears it; both type',
    async ({ firefox: page, callee: handset, farline }) => {
      test.setTimeout(180_000)
      await signUp(page, farline)
      await handset.goto(`${farline.url}/dev/handset`)
      await handset.locator(field('This telephone is')).fill('+91 98765 43210')
      await handset.locator(button('Claim this number')).click()
      await handset.locator(text('Waiting for a call')).wait()
      await page.locator(field('Phone number')).fill('+919876543210')
      await page.locator(button('Call')).click()
      await handset.locator(button('Answer')).click()
      await handset.locator(text('Digits heard')).wait()
      await page.locator(text('In Call')).wait()
      await expect(async () => {
        const heard = await listenInFirefox(handset)
        expect(Math.abs(heard.hz - desk.toneHz)).toBeLessThan(12)
        expect(heard.rms).toBeGreaterThan(0.01)
      }).toPass({ timeout: 20_000 })

      const seenOn = (shown: Page) => expect.poll(() => shown.evaluate(() => document.body.innerText))
      await page.locator(button('Type')).click()
      await page.waitForFunction(() => document.activeElement?.matches('textarea'))
      await page.keyboard.type('My PIM')
      await seenOn(handset).toContain('My PIM')
      await handset.locator(button('Read')).click()
      await page.keyboard.press('Backspace')
      await page.keyboard.type('N is 4829')
      await seenOn(handset).toContain('My PIN is 4829')
      await handset.waitForFunction(() => document.activeElement?.matches('textarea'))
      await handset.keyboard.type('Thank you')
      await seenOn(page).toContain('Thank you')
      await page.locator(button('Hang up')).click()
      await seenOn(handset).toContain('They hung up.')
      await seenOn(page).toContain('My PIN is 4829')
    },
  )

  soundTest(
    'a user with Firefox chooses the microphone and the speaker, changes them in a call, and loses a headset',
    async ({ firefox: page, farline, sound }) => {
      test.setTimeout(180_000)
      const choose = (device: string) => page.locator(radio(device)).click()
      const expectHeard = async (at: SoundSet, hz: number) =>
        expect(async () => {
          const heard = await sound.listenAt(at)
          expect(Math.abs(heard.hz - hz)).toBeLessThan(12)
          expect(heard.rms).toBeGreaterThan(0.01)
        }).toPass({ timeout: 20_000 })
      const expectSilence = async (at: SoundSet) =>
        expect.poll(async () => (await sound.listenAt(at)).rms, { timeout: 20_000 }).toBeLessThan(0.001)

      await signUp(page, farline)
      await page.locator(button('Sound')).click()
      // Each speaker is listed, even one that no microphone goes with.
      await page.locator(radio(roomOf(desk))).wait()
      await choose(headset.microphone)
      await choose(headset.speaker)
      await expect(async () => {
        await page.locator(button('Play a tone')).click()
        expect((await sound.listenAt(headset)).rms).toBeGreaterThan(0.01)
      }).toPass({ timeout: 20_000 })
      await page.locator(button('Done')).click()

      // The demo line says back what it hears.
      await page.reload()
      await page.locator(field('Phone number')).fill('2025550123')
      await page.locator(button('Call')).click()
      await page.locator(text('In Call')).wait()
      await page.locator(button('Keypad')).click()
      await page.keyboard.press('2')
      await expectHeard(headset, headset.toneHz)
      await expectSilence(desk)

      await page.locator(button('Sound')).click()
      await choose(desk.microphone)
      await expectHeard(headset, desk.toneHz)
      await choose(desk.speaker)
      await expectHeard(desk, desk.toneHz)
      await expectSilence(headset)
      await choose(headset.microphone)
      await choose(headset.speaker)
      await expectHeard(headset, headset.toneHz)
      await page.locator(button('Done')).click()

      sound.unplug(headset)
      await page.locator(text('Switched to another microphone.')).wait()
      await expectHeard(desk, desk.toneHz)
      sound.plug(headset)
      await expectHeard(headset, headset.toneHz)
      await page.locator(text('In Call')).wait()
      await page.locator(button('Hang up')).click()
      await page.locator(text('Call Disconnected')).wait()
    },
  )
})

test('every public page works in Firefox, and fits a phone and a desktop', async ({
  firefox: page,
  farline,
}) => {
  test.setTimeout(240_000)
  for (const path of publicPages) {
    // A page that sends a visitor elsewhere has done so.
    await page.goto(farline.url + path, { waitUntil: 'networkidle0' })
    for (const width of [390, 1280]) {
      await page.setViewport({ width, height: 800 })
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
