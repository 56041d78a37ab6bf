import { type Browser, chromium, type Page } from 'playwright'
import { quietBrowserFlags } from '#support/browser-flags.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

/** A phone of the middle class, as Lighthouse has it. */
const slowdown = 4
const rounds = 5
const typed = '7911123456'
const mostTypingMs = 16
const mostPickerMs = 100

/** What one press costs, in milliseconds. */
interface Press {
  /** Running code, layout and paint, without the wait for the screen's next refresh. */
  readonly workMs: number
  /** From the press until the page is painted with what it caused. */
  readonly paintedMs: number
}

declare global {
  interface Window {
    presses: Press[]
  }
}

/** A character typed until the rate line is painted again, and the country picker opened, on a slow phone. */
export async function benchDialler(): Promise<Figure[]> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (!executablePath) return [{ what: 'typing and picker', value: 'SKIPPED: no browser' }]
  const server = await startTestServer()
  const browser = await chromium.launch({ executablePath, args: quietBrowserFlags })
  const typing: Press[] = []
  const opening: Press[] = []
  let rateRequests = 0
  try {
    for (let round = 0; round < rounds; round += 1) {
      const page = await openSlowDialler(browser, server)
      page.on('request', request => {
        if (request.url().includes('/api/rates/number/')) rateRequests += 1
      })
      typing.push(...(await measure(page, 'keydown', () => type(page))))
      opening.push(...(await measure(page, 'click', () => openPicker(page))))
      await page.context().close()
    }
  } finally {
    await browser.close()
    await server.close()
  }
  return [
    figure(
      'work from a typed character to the painted rate line',
      typing.map(({ workMs }) => workMs),
      mostTypingMs,
    ),
    figure(
      'a press until the country picker is painted',
      opening.map(({ paintedMs }) => paintedMs),
      mostPickerMs,
    ),
    {
      what: `rate requests for ${typed.length} characters typed in a row`,
      value: (rateRequests / rounds).toFixed(1),
    },
  ]
}

async function openSlowDialler(browser: Browser, server: TestServer): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${server.url}/call?country=gb`)
  await page.getByLabel('Phone number').waitFor()
  // The first number loads the phone rules, once.
  await page.getByLabel('Phone number').fill('7400123456')
  await page
    .getByText(/per minute/)
    .filter({ visible: true })
    .first()
    .waitFor()
  await page.getByLabel('Phone number').fill('')
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

/** Takes the time of each event of this kind while `act` runs. */
async function measure(page: Page, kind: string, act: () => Promise<void>): Promise<Press[]> {
  await page.evaluate(type => {
    window.presses = []
    const take = (event: Event) => {
      const began = performance.now()
      const afterHandlers = new MessageChannel()
      let handledMs = 0
      afterHandlers.port1.onmessage = () => {
        handledMs = performance.now() - began
      }
      afterHandlers.port2.postMessage(null)
      requestAnimationFrame(() => {
        const frameBegan = performance.now()
        const afterPaint = new MessageChannel()
        afterPaint.port1.onmessage = () => {
          const now = performance.now()
          window.presses.push({
            workMs: handledMs + now - frameBegan,
            paintedMs: now - event.timeStamp,
          })
        }
        afterPaint.port2.postMessage(null)
      })
    }
    addEventListener(type, take, { capture: true })
  }, kind)
  await act()
  await page.waitForTimeout(500)
  return page.evaluate(() => window.presses)
}

async function type(page: Page): Promise<void> {
  await page.getByLabel('Phone number').pressSequentially(typed, { delay: 60 })
}

/** Pressed as by a finger: looking for the button or the dialog would be work of this very page meanwhile. */
async function openPicker(page: Page): Promise<void> {
  const box = await page.getByRole('button', { name: /^Country: / }).boundingBox()
  if (box === null) throw new Error('the country button is not in sight')
  await page.waitForTimeout(300)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.waitForTimeout(1000)
  await page.getByRole('dialog', { name: 'Choose a country' }).waitFor()
}

function figure(what: string, valuesMs: readonly number[], mostMs: number): Figure {
  const middle = median(valuesMs)
  const verdict = middle < mostMs ? 'holds' : 'MISSED'
  return {
    what: `${what}, ${slowdown}x slower`,
    value: `${middle.toFixed(1)} ms, worst ${Math.max(...valuesMs).toFixed(1)} (under ${mostMs}: ${verdict})`,
  }
}
