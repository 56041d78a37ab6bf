import type { BrowserContext, Page } from 'playwright/test'

declare global {
  interface Window {
    /** All peer connections of the page, because the voice client does not expose its own. */
    observedPeers: RTCPeerConnection[]
  }
}

/** Lets a test analyse the audio that the page receives, without changing the voice client. */
export async function listenToPage(context: BrowserContext): Promise<void> {
  await context.addInitScript(observePeers)
}

/** Runs in the browser, before the page's own scripts. */
export function observePeers(): void {
  window.observedPeers = []
  const Native = window.RTCPeerConnection
  window.RTCPeerConnection = class extends Native {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      window.observedPeers.push(this)
    }
  }
}

export interface Heard {
  readonly hz: number
  /** Root mean square of the samples, 0 to 1. */
  readonly rms: number
}

/** Analyses the newest call's received audio. @param ms length of the sample */
export async function listen(page: Page, ms = 500): Promise<Heard> {
  return page.evaluate(async listenMs => {
    const tracks = window.observedPeers.flatMap(peer => peer.getReceivers().map(({ track }) => track))
    const track = tracks.findLast(({ readyState }) => readyState === 'live')
    if (track === undefined) return { hz: 0, rms: 0 }
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    analyser.fftSize = 8192
    analyser.smoothingTimeConstant = 0
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    await new Promise(resolve => setTimeout(resolve, listenMs))
    const levels = new Float32Array(analyser.frequencyBinCount)
    analyser.getFloatFrequencyData(levels)
    const samples = new Float32Array(analyser.fftSize)
    analyser.getFloatTimeDomainData(samples)
    const strongest = levels.indexOf(Math.max(...levels))
    const { sampleRate } = context
    await context.close()
    return {
      hz: (strongest * sampleRate) / analyser.fftSize,
      rms: Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length),
    }
  }, ms)
}

declare global {
  interface Window {
    longestSilenceMs: number
  }
}

export async function startListening(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tracks = window.observedPeers.flatMap(peer => peer.getReceivers().map(({ track }) => track))
    const track = tracks.findLast(({ readyState }) => readyState === 'live')
    if (track === undefined) throw new Error('there is nothing to listen to')
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    let heardAtMs = performance.now()
    window.longestSilenceMs = 0
    setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      const nowMs = performance.now()
      window.longestSilenceMs = Math.max(window.longestSilenceMs, nowMs - heardAtMs)
      if (samples.some(sample => Math.abs(sample) > 0.01)) heardAtMs = nowMs
    }, 20)
  })
}

/** The longest silence since `startListening`, in milliseconds. */
export async function longestSilenceMs(page: Page): Promise<number> {
  return page.evaluate(() => window.longestSilenceMs)
}

/** What the newest call plays from now on, at 8 kHz and in 16 bits. @param ms at least; it is up to a second longer */
export async function record(page: Page, ms: number): Promise<Int16Array> {
  const samples = await page.evaluate(async recordMs => {
    const tracks = window.observedPeers.flatMap(peer => peer.getReceivers().map(({ track }) => track))
    const track = tracks.findLast(({ readyState }) => readyState === 'live')
    if (track === undefined) throw new Error('there is nothing to listen to')
    const context = new AudioContext({ sampleRate: 8000 })
    // Deprecated, but a worklet would need a script of our own that the site's policy allows.
    const recorder = context.createScriptProcessor(8192, 1, 1)
    const recorded: number[] = []
    recorder.addEventListener('audioprocess', ({ inputBuffer }) => {
      for (const sample of inputBuffer.getChannelData(0)) recorded.push(Math.round(sample * 32_767))
    })
    context.createMediaStreamSource(new MediaStream([track])).connect(recorder)
    // It works only towards a destination, and says nothing.
    recorder.connect(context.destination)
    while (recorded.length < recordMs * 8) await new Promise(resolve => setTimeout(resolve, 100))
    await context.close()
    return recorded
  }, ms)
  return Int16Array.from(samples)
}
