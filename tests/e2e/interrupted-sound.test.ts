// @covers src/voice/microphone.ts
// @real-time
import type { BrowserContext, Page } from 'playwright/test'
import { callTone, expectInCall } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { signUp } from '#support/people.ts'

/** As promised to the caller: mended, or told, within this. */
const promisedMs = 3000
const interrupted = 'The sound was interrupted.'

declare global {
  interface Window {
    sound: {
      readonly elements: Set<HTMLMediaElement>
      readonly contexts: AudioContext[]
      /** What the system would refuse while another call has the microphone and the speaker. */
      refused: boolean
      microphonesOpened: number
      /** Nothing is connected but the system's default devices. */
      unplugged: boolean
    }
  }
}

/** Lets a test take away what the voice client plays with, as a system does, and refuse to give it back. */
test.beforeEach(({ context }) =>
  context.addInitScript(() => {
    window.sound = {
      elements: new Set(),
      contexts: [],
      refused: false,
      microphonesOpened: 0,
      unplugged: false,
    }
    const { sound } = window
    const refuse = () => Promise.reject(new DOMException('Another call has it.', 'NotAllowedError'))
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      if (this.srcObject) sound.elements.add(this)
      return sound.refused ? refuse() : play.call(this)
    }
    window.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options)
        sound.contexts.push(this)
      }
    }
    const mediaDevices = navigator.mediaDevices as MediaDevices | undefined
    // An empty page has none.
    if (mediaDevices === undefined) return
    const list = mediaDevices.enumerateDevices.bind(mediaDevices)
    mediaDevices.enumerateDevices = async () =>
      (await list()).filter(({ deviceId }) => !sound.unplugged || deviceId === 'default')
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async constraints => {
      if (sound.refused) return refuse()
      const wanted = typeof constraints?.audio === 'object' ? constraints.audio.deviceId : undefined
      const id = typeof wanted === 'object' && 'exact' in wanted ? wanted.exact : 'default'
      if (sound.unplugged && id !== 'default') throw new DOMException('', 'OverconstrainedError')
      const stream = await open(constraints)
      sound.microphonesOpened += 1
      return stream
    }
  }),
)

/** How long the callee's sound has been played, and how much energy the microphone has sent: both grow while it flows. */
const flow = (page: Page) =>
  page.evaluate(async () => {
    const peer = window.observedPeers.findLast(({ connectionState }) => connectionState === 'connected')
    let packetsSent = 0
    let energy = 0
    ;(await peer?.getStats())?.forEach(entry => {
      if (entry.type === 'outbound-rtp') packetsSent += entry.packetsSent
      if (entry.type === 'media-source') energy += entry.totalAudioEnergy
    })
    const playedSeconds = Math.max(...[...window.sound.elements].map(({ currentTime }) => currentTime))
    const suspended = window.sound.contexts.filter(({ state }) => state === 'suspended').length
    return { playedSeconds, packetsSent, energy, suspended }
  })

/** Both ways, at the latest after what is promised. The synthetic microphone beeps once a second. */
async function expectSoundFlows(page: Page): Promise<void> {
  await expect(async () => {
    const before = await flow(page)
    await page.waitForTimeout(500)
    const now = await flow(page)
    expect(now.playedSeconds - before.playedSeconds).toBeGreaterThan(0.3)
    expect(now.packetsSent - before.packetsSent).toBeGreaterThan(10)
    expect(now.suspended).toBe(0)
  }).toPass({ timeout: promisedMs, intervals: [100] })
  const { energy } = await flow(page)
  await expect.poll(async () => (await flow(page)).energy).not.toBe(energy)
}

/** The browser's own event, which it sends where the device goes, not where the page stops it. */
const endMicrophone = (page: Page) =>
  page.evaluate(() => {
    for (const { track } of window.observedPeers.flatMap(peer => peer.getSenders())) {
      if (track?.readyState !== 'live') continue
      track.stop()
      track.dispatchEvent(new Event('ended'))
    }
  })

/** What a system does to the microphone of a page when another call begins. */
const muteMicrophone = (page: Page) =>
  page.evaluate(() => {
    for (const { track } of window.observedPeers.flatMap(peer => peer.getSenders())) {
      if (track?.readyState !== 'live') continue
      Object.defineProperty(track, 'muted', { value: true })
      track.dispatchEvent(new Event('mute'))
    }
  })

const pausePlayback = (page: Page) =>
  page.evaluate(async () => {
    for (const element of window.sound.elements) element.pause()
    await Promise.all(window.sound.contexts.map(context => context.suspend()))
  })

const refuse = (page: Page, refused: boolean) =>
  page.evaluate(isRefused => {
    window.sound.refused = isRefused
  }, refused)

const microphonesOpened = (page: Page) => page.evaluate(() => window.sound.microphonesOpened)

/** As when a headset is unplugged or plugged in. */
const plug = (page: Page, connected: boolean) =>
  page.evaluate(isConnected => {
    window.sound.unplugged = !isConnected
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'))
  }, connected)

/** Where the callee is played, by the browser's ids of speakers. */
const speakers = (page: Page) =>
  page.evaluate(() => [...window.sound.elements].filter(({ paused }) => !paused).map(({ sinkId }) => sinkId))

async function freeze(page: Page, context: BrowserContext, ms: number): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await new Promise(resolve => setTimeout(resolve, ms))
  await session.send('Page.setWebLifecycleState', { state: 'active' })
}

test('sound that the system took away is back within 3 s, with one more microphone and no word', {
  tag: '@core',
}, async ({ page, farline, context }) => {
  await signUp(page)
  await callTone(page, farline)
  await expectSoundFlows(page)

  await pausePlayback(page)
  await expectSoundFlows(page)

  const opened = await microphonesOpened(page)
  await endMicrophone(page)
  await expect(page.getByText("No microphone: they can't hear you.")).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resume' })).toHaveCount(0, { timeout: promisedMs })
  await expectSoundFlows(page)
  expect(await microphonesOpened(page)).toBe(opened + 1)
  await expect(page.getByText('Switched to another microphone.')).toHaveCount(0)
  // The second time the client is asked for a microphone that it was given before.
  await endMicrophone(page)
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resume' })).toHaveCount(0, { timeout: promisedMs })
  await expectSoundFlows(page)

  await freeze(page, context, 5000)
  await expectSoundFlows(page)
  await expectInCall(page)
  await expect(page.getByText(interrupted)).toHaveCount(0)
  await page.getByRole('button', { name: 'Hang up' }).click()
})

for (const [what, takeAway] of [
  ['a muted microphone', muteMicrophone],
  ['a speaker that is refused', pausePlayback],
  ['a microphone that is refused', endMicrophone],
] as const) {
  test(`says within 3 s what to press about ${what}, and a press resumes the call`, async ({
    page,
    farline,
  }) => {
    await signUp(page)
    await callTone(page, farline)
    await refuse(page, true)
    await takeAway(page)
    const sentence = takeAway === endMicrophone ? "No microphone: they can't hear you." : interrupted
    const said = page.getByRole('alert').filter({ hasText: sentence })
    await expect(said).toBeVisible({ timeout: promisedMs })
    const resume = said.getByRole('button', { name: 'Resume' })
    await resume.click()
    await page.waitForTimeout(promisedMs)
    await expect(said).toBeVisible()

    await refuse(page, false)
    if (await resume.isVisible()) await resume.click()
    await expect(said).toHaveCount(0, { timeout: promisedMs })
    await expectSoundFlows(page)
    await expectInCall(page)
    await page.getByRole('button', { name: 'Hang up' }).click()
  })
}

test('a headset that goes in a call leaves it its sound, and is used again once it is back', async ({
  page,
  farline,
}) => {
  await signUp(page)
  const headset = await page.evaluate(async () => {
    for (const track of (await navigator.mediaDevices.getUserMedia({ audio: true })).getTracks()) track.stop()
    const devices = await navigator.mediaDevices.enumerateDevices()
    const last = (kind: MediaDeviceKind) => {
      const found = devices.findLast(device => device.kind === kind)
      if (found)
        localStorage.setItem(
          kind === 'audioinput' ? 'microphoneDevice' : 'speakerDevice',
          `${found.deviceId}\n${found.label}`,
        )
      return found?.deviceId
    }
    return { microphone: last('audioinput'), speaker: last('audiooutput') }
  })
  await page.reload()
  await callTone(page, farline)
  const microphone = () =>
    page.evaluate(() => {
      const tracks = window.observedPeers.flatMap(peer => peer.getSenders()).map(({ track }) => track)
      return tracks.findLast(track => track?.readyState === 'live')?.getSettings().deviceId
    })
  await expect.poll(() => speakers(page)).toEqual([headset.speaker])
  expect(await microphone()).toBe(headset.microphone)
  const opened = await microphonesOpened(page)

  await endMicrophone(page)
  await plug(page, false)
  await expectSoundFlows(page)
  await expect(page.getByText(interrupted)).toHaveCount(0)
  await expect.poll(() => speakers(page), { timeout: promisedMs }).not.toContain(headset.speaker)
  expect(await microphone()).not.toBe(headset.microphone)
  expect(await microphonesOpened(page)).toBe(opened + 1)

  await plug(page, true)
  await expect.poll(microphone).toBe(headset.microphone)
  await expect.poll(() => speakers(page)).toContain(headset.speaker)
  await expectSoundFlows(page)
  expect(await microphonesOpened(page)).toBe(opened + 2)
  await expectInCall(page)
  await page.getByRole('button', { name: 'Hang up' }).click()
})
