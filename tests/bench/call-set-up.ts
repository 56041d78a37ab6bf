import { chromium, type Page } from 'playwright'
import { browserFlags } from '#support/browser-flags.ts'
import { listenToPage } from '#support/page-audio.ts'
import { dial, newAddress, signUp } from '#support/people.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

const rounds = 9

/** From the press of Call to the answer, and to the first sound, in a real browser on the exchange. */
export async function benchCallSetUp(): Promise<Figure[]> {
  const executablePath = process.env.CHROMIUM_PATH
  if (!executablePath) return [{ what: 'Call pressed to answered', value: 'SKIPPED: no browser' }]
  const server = await startTestServer()
  const browser = await chromium.launch({ executablePath, args: browserFlags })
  try {
    const context = await browser.newContext({ baseURL: server.url })
    await listenToPage(context)
    const page = await context.newPage()
    const email = await signUp(page, newAddress('bench'))
    await server.admin('credit', email, '5', '--reason', 'a bench')
    const answered: number[] = []
    const sounding: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const figures = await placeCall(page, server)
      answered.push(figures.answeredMs)
      sounding.push(figures.soundMs)
    }
    return [
      { what: 'Call pressed to answered', value: `${median(answered).toFixed(0)} ms` },
      { what: 'Call pressed to first sound', value: `${median(sounding).toFixed(0)} ms` },
      { what: 'memory of the server after these calls', value: await readMemory(server) },
    ]
  } finally {
    await browser.close()
    await server.close()
  }
}

interface SetUp {
  readonly answeredMs: number
  readonly soundMs: number
}

/** Measured in the page itself, from the click: the driver's own time is not part of it. */
async function placeCall(page: Page, server: TestServer): Promise<SetUp> {
  const measured = page.evaluate(watchSetUp)
  await dial(page, '2125550100')
  const figures = await measured
  await page.getByRole('button', { name: 'Hang up' }).click()
  await page.getByText('Call Disconnected').waitFor()
  while ((await server.liveCalls()).length > 0);
  return figures
}

/** Runs in the page: waits for the press of Call, then for the status In Call and for audible samples. */
async function watchSetUp(): Promise<SetUp> {
  const earlier = window.observedPeers.length
  const context = new AudioContext()
  await context.resume()
  const pressed = await new Promise<number>(resolve => {
    document.addEventListener('click', event => resolve(event.timeStamp), { capture: true, once: true })
  })
  const poll = (found: () => boolean) =>
    new Promise<number>(resolve => {
      const timer = setInterval(() => {
        if (!found()) return
        clearInterval(timer)
        resolve(performance.now() - pressed)
      }, 4)
    })
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
  const figures = { answeredMs: await answered, soundMs: await sound }
  await context.close()
  return figures
}

async function readMemory(server: TestServer): Promise<string> {
  return `${((await server.residentBytes()) / 1024 ** 2).toFixed(0)} MiB`
}
