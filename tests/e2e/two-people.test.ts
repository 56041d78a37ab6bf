// @covers server/telephony/exchange
// @real-time
import type { Page } from 'playwright/test'
import { expectInCall } from '#support/bad-line.ts'
import { expect, badLineTest as test } from '#support/e2e.ts'
import { openHandset } from '#support/handset.ts'
import { listen, longestSilenceMs, startListening } from '#support/page-audio.ts'
import { dial, signUp } from '#support/people.ts'

const first = { typed: '+91 98765 43210', e164: '+919876543210' }
const second = { typed: '+91 98765 43211', e164: '+919876543211' }

/** Calls a telephone and answers there. */
async function holdCall(caller: Page, handset: Page, number = first.e164): Promise<void> {
  await dial(caller, number)
  await handset.getByRole('button', { name: 'Answer' }).click()
  await expect(handset.getByText('Digits heard')).toBeVisible()
  await expectInCall(caller)
}

async function expectTone(page: Page, hz: number): Promise<void> {
  await expect(async () => {
    const heard = await listen(page)
    expect(Math.abs(heard.hz - hz)).toBeLessThan(12)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass()
}

/** The microphone of the test's browser beeps now and then, far from the tone of 1 kHz. */
async function expectBeeps(page: Page): Promise<void> {
  await expect(async () => {
    const { hz, rms } = await listen(page, 200)
    expect(rms).toBeGreaterThan(0.005)
    expect(Math.abs(hz - 1000)).toBeGreaterThan(100)
  }).toPass({ intervals: [50] })
}

declare global {
  interface Window {
    loudestPairs: Set<string>
  }
}

/** Writes down which two frequencies were the loudest, in Hz and rounded to 20, from now on. */
async function watchTones(page: Page): Promise<(low: number, high: number) => Promise<boolean>> {
  await page.evaluate(() => {
    const tracks = window.observedPeers.flatMap(peer => peer.getReceivers().map(({ track }) => track))
    const track = tracks.findLast(({ readyState }) => readyState === 'live')
    if (track === undefined) throw new Error('there is nothing to listen to')
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    analyser.fftSize = 4096
    analyser.smoothingTimeConstant = 0
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    const levels = new Float32Array(analyser.frequencyBinCount)
    const hzOf = (bin: number) => (bin * context.sampleRate) / analyser.fftSize
    window.loudestPairs = new Set()
    setInterval(() => {
      analyser.getFloatFrequencyData(levels)
      const bins = [...levels.keys()].sort((a, b) => (levels[b] ?? 0) - (levels[a] ?? 0))
      const [one = 0] = bins
      const other = bins.find(bin => Math.abs(bin - one) > 8) ?? 0
      const pair = [hzOf(one), hzOf(other)].sort((a, b) => a - b)
      window.loudestPairs.add(pair.map(hz => Math.round(hz)).join(' '))
    }, 40)
  })
  return async (low, high) => {
    const pairs = await page.evaluate(() => [...window.loudestPairs])
    return pairs.some(pair => {
      const [one = 0, other = 0] = pair.split(' ').map(Number)
      return Math.abs(one - low) < 20 && Math.abs(other - high) < 20
    })
  }
}

test('two people talk through a dropped socket, send each other digits, and one hangs up', {
  tag: '@core',
}, async ({ page, farline, network }) => {
  await signUp(page)
  const handset = await openHandset(page, first.typed)
  await dial(page, first.e164)
  await expect(handset.getByRole('status').filter({ hasText: 'Ringing' })).toBeVisible()
  await expect(handset.getByRole('button', { name: 'Answer' })).toBeFocused()
  await expect(handset.getByText('Call from', { exact: true })).toBeVisible()
  await expect(page.getByText('Ringing', { exact: true })).toBeVisible()
  await handset.keyboard.press('Enter')
  await expect(handset.getByRole('timer')).toHaveText(/00:0\d/)
  await expectInCall(page)
  await expectTone(page, 1000)
  await expectBeeps(handset)

  await page.keyboard.press('4')
  await page.keyboard.press('8')
  await page.keyboard.press('#')
  await expect(handset.getByRole('log')).toHaveText('4 8 #')
  const hasHeard = await watchTones(page)
  await handset.getByRole('button', { name: '5 JKL' }).click()
  await expect.poll(() => hasHeard(770, 1336)).toBe(true)

  await startListening(page)
  // A digit on its way when the socket breaks is lost with it: the voice client knows no receipts. One that
  // is pressed once the break is noticed, before there is another socket, waits for that.
  const noticed = page.waitForEvent('websocket')
  expect(network.dropSignalling()).toBeGreaterThan(0)
  await noticed
  await page.keyboard.press('2')
  await expect(handset.getByRole('log')).toHaveText('4 8 # 2')
  await expectTone(page, 1000)
  expect(await longestSilenceMs(page)).toBeLessThan(1000)

  await handset.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect.poll(async () => (await listen(page)).rms).toBeLessThan(0.003)
  await handset.getByRole('button', { name: 'Muted', exact: true }).click()
  await expectTone(page, 1000)

  await handset.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await expect(page.getByText(/They hung up\. Talked 0:\d\d/)).toBeVisible()
  await expect(handset.getByText(/You hung up\. Talked 0:\d\d/)).toBeVisible()
  await expect.poll(() => farline.liveCalls()).toEqual([])

  await page.goto('/call-history')
  await expect(page.getByRole('row').filter({ hasText: '98765 43210' })).toContainText('Your free call')
})

test('the caller hangs up, and the telephone waits for the next call', async ({ page }) => {
  await signUp(page)
  const handset = await openHandset(page, first.typed)
  await holdCall(page, handset)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(handset.getByText(/They hung up\./)).toBeVisible()
  await expect(handset.getByText('Waiting for a call')).toBeVisible()
})

test('reports declined, busy and nobody there in the caller’s words', async ({ page, farline }) => {
  await signUp(page)
  const handset = await openHandset(page, first.typed)
  await dial(page, first.e164)
  await handset.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('The call was declined. Nothing was charged.')).toBeVisible()
  await expect(handset.getByText('You declined the call.')).toBeVisible()
  await expect.poll(() => farline.liveCalls()).toEqual([])

  await handset.getByLabel('Busy', { exact: true }).check()
  await expect(handset.getByText('Busy to every caller')).toBeVisible()
  await expect(async () => {
    await dial(page, first.e164)
    await expect(page.getByText('The line is busy. Nothing was charged.')).toBeVisible()
  }).toPass()

  await handset.getByLabel('I answer').check()
  await handset.getByRole('button', { name: 'Give this number up' }).click()
  await expect(handset.getByText('On the hook')).toBeVisible()
})

test('two telephones in two tabs have a number each, and only the one that is called rings', {
  tag: '@full',
}, async ({ page }) => {
  await signUp(page)
  const one = await openHandset(page, first.typed)
  const two = await page.context().newPage()
  await two.goto('/dev/handset')
  await two.getByRole('button', { name: 'Claim this number' }).click()
  await expect(two.getByText(/This number is taken/)).toBeVisible()
  await expect(two.getByLabel('This telephone is')).toHaveValue(first.typed)
  await two.close()

  const other = await openHandset(page, second.typed, 'Answer by itself after 3 s')
  await expect(one.getByText(second.typed)).toBeVisible()
  await dial(page, second.e164)
  await expect(other.getByText('Digits heard')).toBeVisible()
  await expectInCall(page)
  await expectTone(page, 1000)
  await expect(one.getByText('Waiting for a call')).toBeVisible()

  // With its tab goes the call, and, after a grace in which a client would be back, the number.
  await other.close()
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await expect(one.getByText(second.typed)).toHaveCount(0, { timeout: 30_000 })
})
