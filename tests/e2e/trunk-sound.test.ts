import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright/test'
import { clip } from '#server/telephony/exchange/media/clips.ts'
import { decodeMulaw, sampleRateHz, silentFrame } from '#server/telephony/exchange/media/mulaw.ts'
import { browserFlags } from '#support/browser-flags.ts'
import { test as base, expect } from '#support/e2e.ts'
import { openHandset } from '#support/handset.ts'
import { listenToPage, record } from '#support/page-audio.ts'
import { dial, signUp } from '#support/people.ts'
import { createSpeechMeasure } from '#support/speech-measure.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab } from '#support/trunk/lab.ts'
import { openTelephone } from '#support/trunk/telephone.ts'
import { writeWave } from '#support/wave.ts'

const speech = clip('menu')
const linear = (mulaw: Buffer) => Int16Array.from(mulaw, decodeMulaw)
const spoken = linear(speech)
const measure = createSpeechMeasure(spoken)

/** Every microphone of the browser speaks. */
const test = base.extend({
  launchOptions: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other one
    async ({}, use) => {
      const directory = mkdtempSync(join(tmpdir(), 'farline-speech-'))
      const file = join(directory, 'speech.wav')
      writeWave(file, { rateHz: sampleRateHz, samples: spoken })
      await use({
        executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
        args: [...browserFlags, `--use-file-for-fake-audio-capture=${file}`],
      })
      rmSync(directory, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})
test.skip(trunkIsMissing, 'Kamailio, rtpengine or SIPp is not installed.')

/** How much of the speech came through each way. */
interface Scores {
  readonly toCallee: number
  readonly toCaller: number
}

/** Three parts of the clip, which takes 8.7 seconds. */
const recordedMs = 6000
/** The browser's noise suppression and gain control learn for about a second. */
const settle = (page: Page) => page.waitForTimeout(1500)
const inCall = (page: Page) => page.getByText('In Call', { exact: true })
const hangUp = (page: Page) => page.getByRole('button', { name: 'Hang up' }).click()
/** Of the caller's page or of a handset. One speaks at a time: echo cancellation would change both. */
const mute = (page: Page) => page.getByRole('button', { name: 'Mute', exact: true }).click()

/** The better of two recordings of a page: a browser without enough of the processor loses sound by itself. */
async function scoreOf(page: Page, begin: () => Promise<void> = async () => undefined): Promise<number> {
  await begin()
  const first = measure(await record(page, recordedMs))
  await begin()
  return Math.max(first, measure(await record(page, recordedMs)))
}

/** Over the local exchange: to a handset in another tab, and from the demo line, which speaks the same clip. */
async function measureExchange(page: Page, farline: TestServer): Promise<Scores> {
  const email = await signUp(page)
  await farline.admin('credit', email, '5', '--reason', 'an end-to-end test')
  await page.reload()
  const handset = await openHandset(page, '+91 98765 43210', 'I answer', 'My microphone')
  await dial(page, '+919876543210')
  await handset.getByRole('button', { name: 'Answer' }).click()
  await mute(handset)
  await expect(inCall(page)).toBeVisible()
  await settle(page)
  const toCallee = await scoreOf(handset)
  await hangUp(page)
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await handset.close()
  await dial(page, '+442071838750')
  await expect(inCall(page)).toBeVisible()
  await mute(page)
  await page.getByRole('button', { name: 'Keypad' }).click()
  const toCaller = await scoreOf(page, () => page.keyboard.press('*'))
  return { toCallee, toCaller }
}

/** Over a trunk, to and from a telephone behind a carrier. */
async function measureTrunk(browser: Browser): Promise<Scores> {
  const telephone = await openTelephone()
  const behaviour = { kind: 'answers', mediaPort: telephone.port } as const
  const lab = await startTrunkLab([{ name: 'carrier', behaviour, sells: { 1: 4000 } }])
  const server = await startTestServer({ environment: { TELEPHONY: 'trunk', TRUNK_FILE: lab.file } })
  const context = await browser.newContext({ baseURL: server.url })
  await listenToPage(context)
  const page = await context.newPage()
  try {
    await signUp(page)
    await dial(page, '+12125550100')
    await expect(inCall(page)).toBeVisible()
    const [invitation = ''] = lab.carrier('carrier').invitations()
    telephone.speak(invitation, silentFrame)
    await settle(page)
    telephone.heard.length = 0
    await page.waitForTimeout(recordedMs)
    const toCallee = measure(linear(Buffer.concat(telephone.heard)))
    await mute(page)
    telephone.speak(invitation, speech)
    await settle(page)
    const toCaller = await scoreOf(page)
    await hangUp(page)
    return { toCallee, toCaller }
  } finally {
    await context.close()
    await server.close()
    await lab.close()
    await telephone.close()
  }
}

test('speech over a trunk is as good as over the local exchange, both ways', async ({
  page,
  browser,
  farline,
}) => {
  test.setTimeout(240_000)
  const direct = await measureExchange(page, farline)
  const trunk = await measureTrunk(browser)
  test.info().annotations.push({ type: 'speech', description: JSON.stringify({ direct, trunk }) })
  expect(trunk.toCallee).toBeGreaterThan(direct.toCallee - 0.1)
  expect(trunk.toCaller).toBeGreaterThan(direct.toCaller - 0.1)
  // Two bad paths would be alike too. No browser records what the carrier's telephone hears.
  expect(trunk.toCallee).toBeGreaterThan(0.85)
  expect(trunk.toCaller).toBeGreaterThan(0.7)
})
