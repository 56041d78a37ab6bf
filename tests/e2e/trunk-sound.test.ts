// @covers server/telephony/trunk
// @real-time
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright/test'
import { clip } from '#server/telephony/exchange/media/clips.ts'
import { decodeMulaw, sampleRateHz } from '#server/telephony/exchange/media/mulaw.ts'
import { browserFlags } from '#support/browser-flags.ts'
import { test as base, expect } from '#support/e2e.ts'
import { openHandset } from '#support/handset.ts'
import { listenToPage, record } from '#support/page-audio.ts'
import { dial, signUp } from '#support/people.ts'
import { createSpeechMeasure } from '#support/speech-measure.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'
import { baresipIsMissing, startBaresip } from '#support/trunk/baresip.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab } from '#support/trunk/lab.ts'
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
test.skip(
  () => [trunkIsMissing(), baresipIsMissing()].includes(true),
  'Kamailio, rtpengine, SIPp or baresip is not installed.',
)

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

/**
 * The score of a recording of a page, or of the better of two where the first is not good: a browser without enough of the processor loses
 * sound by itself.
 */
async function scoreOf(page: Page, begin: () => Promise<void> = async () => undefined): Promise<number> {
  const hear = async () => {
    await begin()
    return measure(await record(page, recordedMs))
  }
  const first = await hear()
  return first > 0.9 ? first : Math.max(first, await hear())
}

/** Over the local exchange: to a handset in another tab, and from the demo line, which speaks the same clip. */
async function measureExchange(page: Page, farline: TestServer): Promise<Scores> {
  const email = await signUp(page)
  await farline.credit(email, 5)
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

const number = '+12125550100'

/** Over a trunk, to and from baresip, whose packets do not wait for this process. */
async function measureTrunk(browser: Browser): Promise<Scores> {
  // It answers before the browser has connected, and heard any ringback.
  const baresip = await startBaresip(number, speech, 0)
  const behaviour = { kind: 'elsewhere', address: baresip.address } as const
  const lab = await startTrunkLab([{ name: 'carrier', behaviour, sells: { 1: 4000 } }])
  const server = await startTestServer({ environment: { TELEPHONY: 'trunk', TRUNK_FILE: lab.file } })
  const context = await browser.newContext({ baseURL: server.url })
  await listenToPage(context)
  const page = await context.newPage()
  try {
    await signUp(page)
    await dial(page, number)
    await expect(inCall(page)).toBeVisible()
    await mute(page)
    await settle(page)
    const toCaller = await scoreOf(page)
    baresip.command('mute')
    await page.getByRole('button', { name: 'Muted', exact: true }).click()
    await settle(page)
    const settled = baresip.heard().length
    await page.waitForTimeout(recordedMs)
    const toCallee = measure(linear(baresip.heard().subarray(settled)))
    await hangUp(page)
    return { toCallee, toCaller }
  } finally {
    await context.close()
    await server.close()
    await lab.close()
    await baresip.close()
  }
}

test('speech over a trunk is as good as over the local exchange, both ways', async ({
  page,
  browser,
  farline,
}) => {
  test.setTimeout(180_000)
  const direct = await measureExchange(page, farline)
  const trunk = await measureTrunk(browser)
  test.info().annotations.push({ type: 'speech', description: JSON.stringify({ direct, trunk }) })
  expect(trunk.toCallee).toBeGreaterThan(direct.toCallee - 0.1)
  expect(trunk.toCaller).toBeGreaterThan(direct.toCaller - 0.1)
  // Two bad paths would be alike too.
  expect(trunk.toCallee).toBeGreaterThan(0.85)
  expect(trunk.toCaller).toBeGreaterThan(0.7)
})
