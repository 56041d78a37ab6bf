import { chromium, type Page } from 'playwright'
import { browserFlags } from '#support/browser-flags.ts'
import { listenToPage } from '#support/page-audio.ts'
import { newAddress, signUp } from '#support/people.ts'
import { startSlowLine } from '#support/slow-line.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

const rounds = 5
const maxRingingMs = 120
const linkMs = 150
const maxRoundTrips = 1.2
/** How long a caller looks at a number that can be called before the press. */
const lookMs = 1500

declare global {
  interface Window {
    /** When the service last said that the callee's phone rings, by `performance.now()`. */
    rangAtMs: number
  }
}

/**
 * From the press of Call to ringing, to the answer, and to the first sound, in a real browser on the exchange; to ringing also
 * through a link with a round trip of 150 ms.
 */
export async function benchCallSetUp(): Promise<Figure[]> {
  const executablePath = process.env.CHROMIUM_PATH
  if (!executablePath) return [{ what: 'Call pressed to answered', value: 'SKIPPED: no browser' }]
  const server = await startTestServer()
  const { hostname, port } = new URL(server.url)
  const link = await startSlowLine({ host: hostname, port: Number(port) })
  const browser = await chromium.launch({ executablePath, args: browserFlags })
  try {
    const context = await browser.newContext({ baseURL: `http://localhost:${link.port}` })
    await listenToPage(context)
    await context.addInitScript(watchSignalling)
    const page = await context.newPage()
    const email = await signUp(page, { email: newAddress('bench') })
    await server.admin('credit', email, '5', '--reason', 'a bench')
    const near = await placeCalls(page, server)
    link.delayMs = linkMs / 2
    const far = await placeCalls(page, server)
    const ringingMs = median(near.map(each => each.ringingMs))
    const farMs = median(far.map(each => each.ringingMs))
    // The time that the link adds: what the page and the server take is in the figure above.
    const roundTrips = (farMs - ringingMs) / linkMs
    return [
      {
        what: 'Call pressed to ringing',
        value: `${ringingMs.toFixed(0)} ms (at most ${maxRingingMs}: ${verdict(ringingMs <= maxRingingMs)})`,
      },
      {
        what: `Call pressed to ringing, round trips that a link of ${linkMs} ms adds`,
        value:
          `${roundTrips.toFixed(2)} (at most ${maxRoundTrips}: ${verdict(roundTrips <= maxRoundTrips)}); ` +
          `${farMs.toFixed(0)} ms in all`,
      },
      {
        what: 'Call pressed to answered',
        value: `${median(near.map(each => each.answeredMs)).toFixed(0)} ms`,
      },
      {
        what: 'Call pressed to first sound',
        value: `${median(near.map(each => each.soundMs)).toFixed(0)} ms`,
      },
      { what: 'memory of the server after these calls', value: await readMemory(server) },
    ]
  } finally {
    await browser.close()
    await link.close()
    await server.close()
  }
}

function verdict(holds: boolean): string {
  return holds ? 'holds' : 'MISSED'
}

/** In milliseconds from the press of Call. */
export interface SetUp {
  readonly ringingMs: number
  readonly answeredMs: number
  readonly soundMs: number
}

async function placeCalls(page: Page, server: TestServer): Promise<SetUp[]> {
  const calls: SetUp[] = []
  for (let round = 0; round < rounds; round += 1) calls.push(await placeCall(page, server, lookMs))
  return calls
}

/**
 * Measured in the page itself, from the click: the driver's own time is not part of it.
 * @param lookedMs for how long the number stands there before the press
 */
export async function placeCall(page: Page, server: TestServer, lookedMs: number): Promise<SetUp> {
  await page.getByRole('textbox', { name: 'Phone number' }).fill('2125550100')
  await page.waitForTimeout(lookedMs)
  const measured = page.evaluate(watchSetUp)
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  const figures = await measured
  await page.getByRole('button', { name: 'Hang up' }).click()
  await page.getByText('Call Disconnected').waitFor()
  while ((await server.liveCalls()).length > 0);
  return figures
}

/** Runs in the page before its scripts: notes each message that a phone rings. */
export function watchSignalling(): void {
  const Native = window.WebSocket
  window.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      this.addEventListener('message', ({ data }) => {
        if (/"type":\s*"ringing"/.test(String(data))) window.rangAtMs = performance.now()
      })
    }
  }
}

/** Runs in the page: waits for the press of Call, then for the status In Call and for audible samples. */
async function watchSetUp(): Promise<SetUp> {
  const earlier = window.observedPeers.length
  window.rangAtMs = 0
  // Before anything is awaited: the press may come at once.
  const press = new Promise<number>(resolve => {
    document.addEventListener('click', event => resolve(event.timeStamp), { capture: true, once: true })
  })
  const context = new AudioContext()
  await context.resume()
  const pressed = await press
  const poll = (found: () => boolean) =>
    new Promise<number>(resolve => {
      const timer = setInterval(() => {
        if (!found()) return
        clearInterval(timer)
        resolve(performance.now() - pressed)
      }, 4)
    })
  const ringing = poll(() => window.rangAtMs > 0)
  const answered = poll(() => document.querySelector('.line-status')?.textContent?.trim() === 'In Call')
  const analyser = new AnalyserNode(context, { fftSize: 256 })
  const samples = new Float32Array(analyser.fftSize)
  let attached = false
  const sound = poll(() => {
    const [receiver] = window.observedPeers.slice(earlier).flatMap(peer => peer.getReceivers())
    if (receiver === undefined) return false
    if (!attached) context.createMediaStreamSource(new MediaStream([receiver.track])).connect(analyser)
    attached = true
    analyser.getFloatTimeDomainData(samples)
    return samples.some(sample => Math.abs(sample) > 0.01)
  })
  await ringing
  const ringingMs = window.rangAtMs - pressed
  const figures = { ringingMs, answeredMs: await answered, soundMs: await sound }
  await context.close()
  return figures
}

async function readMemory(server: TestServer): Promise<string> {
  return `${((await server.residentBytes()) / 1024 ** 2).toFixed(0)} MiB`
}
