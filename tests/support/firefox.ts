import { networkInterfaces } from 'node:os'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import type { Heard } from './page-audio.ts'
import { findProgram } from './program.ts'
import type { SoundSystem } from './sound-system.ts'
import { xpaths } from './xpaths.ts'

/** Debian's Firefox; undefined when it is not installed. */
const firefoxPath = findProgram('firefox-esr')

/** The reason why Firefox cannot call here; undefined when it can. */
export function whyNoFirefox(): string | undefined {
  if (firefoxPath === undefined)
    return 'Firefox is not installed. Install it, for example `apt-get install firefox-esr` as root, and run this again.'
  const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  return own.some(({ internal }) => !internal)
    ? undefined
    : 'Firefox sends no sound to the loopback address, and this machine has no other one.'
}

/** Firefox would take a tone that lasts for noise, and what comes back from the callee for an echo. */
const unprocessed = Object.fromEntries(
  ['aec', 'noise', 'agc', 'hpf'].map(part => [`media.getusermedia.audio.processing.${part}.enabled`, false]),
)

/**
 * Starts Firefox over WebDriver BiDi. It asks nobody for a microphone.
 * @param sound whose devices it uses; its own synthetic microphone otherwise
 */
export async function launchFirefox(sound?: SoundSystem): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath ?? 'firefox-esr',
    timeout: 60_000,
    env: { ...process.env, ...sound?.environment },
    extraPrefsFirefox: {
      'media.navigator.streams.fake': sound === undefined,
      'media.navigator.permission.disabled': true,
      'media.autoplay.default': 0,
      ...(sound && unprocessed),
    },
  })
}

/** Analyses the newest call's received audio, on a page that ran `observePeers`. */
export async function listenInFirefox(page: Page): Promise<Heard> {
  return page.evaluate(analyseRecording, 500)
}

/**
 * Runs in the browser. Records the audio and analyses it offline, because Firefox cannot run an AudioContext without
 * a sound card.
 */
async function analyseRecording(ms: number): Promise<Heard> {
  const tracks = window.observedPeers.flatMap(peer => peer.getReceivers().map(({ track }) => track))
  const track = tracks.findLast(({ readyState }) => readyState === 'live')
  if (track === undefined) return { hz: 0, rms: 0 }
  const recorder = new MediaRecorder(new MediaStream([track]))
  const pieces: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
  const stopped = new Promise(resolve => recorder.addEventListener('stop', resolve))
  recorder.start()
  await new Promise(resolve => setTimeout(resolve, ms))
  recorder.stop()
  await stopped
  const encoded = await new Blob(pieces).arrayBuffer()
  const buffer = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(encoded)
  const context = new OfflineAudioContext(1, buffer.length, buffer.sampleRate)
  const analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 })
  const source = new AudioBufferSourceNode(context, { buffer })
  source.connect(analyser).connect(context.destination)
  source.start()
  await context.startRendering()
  const levels = new Float32Array(analyser.frequencyBinCount)
  analyser.getFloatFrequencyData(levels)
  const samples = new Float32Array(analyser.fftSize)
  analyser.getFloatTimeDomainData(samples)
  return {
    hz: (levels.indexOf(Math.max(...levels)) * context.sampleRate) / analyser.fftSize,
    rms: Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length),
  }
}

const byXpath = (select: (label: string) => string) => (label: string) => `::-p-xpath(${select(label)})`

/** By XPath: by accessible name, Firefox computes the names of the whole page, which takes seconds. */
export const selectors = {
  button: byXpath(xpaths.button),
  link: byXpath(xpaths.link),
  linkFrom: byXpath(xpaths.linkFrom),
  radio: byXpath(xpaths.radio),
  heading: byXpath(xpaths.heading),
  field: byXpath(xpaths.field),
  text: (text: string) => `::-p-text(${text})`,
} as const
