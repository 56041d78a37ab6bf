import { chromium, type Page } from 'playwright'
import { browserFlags } from '#support/browser-flags.ts'
import { hear, listenToPage } from '#support/page-audio.ts'
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

async function placeCall(page: Page, server: TestServer): Promise<{ answeredMs: number; soundMs: number }> {
  const began = performance.now()
  await dial(page, '2125550100')
  await page.getByText('In Call', { exact: true }).waitFor()
  const answeredMs = performance.now() - began
  while ((await hear(page, 20)).rms < 0.01);
  const soundMs = performance.now() - began
  await page.getByRole('button', { name: 'Hang up' }).click()
  await page.getByText('Call Disconnected').waitFor()
  while ((await server.liveCalls()).length > 0);
  return { answeredMs, soundMs }
}

async function readMemory(server: TestServer): Promise<string> {
  return `${((await server.residentBytes()) / 1024 ** 2).toFixed(0)} MiB`
}
