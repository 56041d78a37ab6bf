import { type Browser, chromium, type Page } from 'playwright'
import { quietBrowserFlags } from '#support/browser-flags.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'
import { openBarePage } from './bare-dialler.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

/** A phone of the middle class, as Lighthouse has it. */
const slowdown = 4
const rounds = 5
const typed = '7911123456'
/** How long a press on a touch screen lasts, at the short end. */
const pressMs = 80
const maxTypingMs = 16
const maxPickerMs = 100

/** What one press costs, in milliseconds. */
interface Press {
  /** Running code, layout and paint, without the wait for the screen's next refresh. */
  readonly workMs: number
  /** From the press until the page is painted with what it caused. */
  readonly paintedMs: number
}

interface Presses {
  readonly typing: Press[]
  /** Until the paint after that, with what the page says about the number. */
  readonly following: Press[]
  readonly opening: Press[]
}

declare global {
  interface Window {
    presses: Press[]
    taking?: AbortController
  }
}

/**
 * A character typed until it is painted, and the country picker opened, on a slow phone: beside a page that does the same by
 * hand, because the browser's own share depends on the machine. What the dialler says about the number follows a paint later.
 */
export async function benchDialler(): Promise<Figure[]> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (!executablePath) return [{ what: 'typing and picker', value: 'SKIPPED: no browser' }]
  const server = await startTestServer()
  const browser = await chromium.launch({ executablePath, args: quietBrowserFlags })
  const ours: Presses = { typing: [], following: [], opening: [] }
  const bare: Presses = { typing: [], following: [], opening: [] }
  let rateRequests = 0
  try {
    for (let round = 0; round < rounds; round += 1) {
      const page = await openDialler(browser, server)
      page.on('request', request => {
        if (request.url().includes('/api/rates/number/')) rateRequests += 1
      })
      await measurePresses(page, ours)
      await measurePresses(await openBarePage(browser), bare)
    }
  } finally {
    await browser.close()
    await server.close()
  }
  const works = (presses: readonly Press[]) => presses.map(({ workMs }) => workMs)
  const paints = (presses: readonly Press[]) => presses.map(({ paintedMs }) => paintedMs)
  return [
    figure('work from a typed character to its paint', maxTypingMs, {
      ours: works(ours.typing),
      bare: works(bare.typing),
    }),
    {
      what: `a typed character until what is said about the number is painted, ${slowdown}x slower`,
      value: `${median(paints(ours.following)).toFixed(1)} ms`,
    },
    figure('a press until the country picker is painted', maxPickerMs, {
      ours: paints(ours.opening),
      bare: paints(bare.opening),
    }),
    {
      what: `rate requests for ${typed.length} characters typed in a row`,
      value: (rateRequests / rounds).toFixed(1),
    },
  ]
}

async function openDialler(browser: Browser, server: TestServer): Promise<Page> {
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
  return page
}

/** Types a number and opens the picker on a slow phone. Closes the page. */
async function measurePresses(page: Page, { typing, following, opening }: Presses): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  typing.push(...(await measure(page, 'keydown', () => type(page))))
  await page.getByLabel('Phone number').fill('')
  following.push(...(await measure(page, 'keydown', () => type(page), 2)))
  opening.push(...(await measure(page, 'click', () => openPicker(page))))
  await page.context().close()
}

/** Takes the time of each event of this kind while `act` runs, until so many paints later. */
async function measure(page: Page, kind: string, act: () => Promise<void>, paints = 1): Promise<Press[]> {
  await page.evaluate(
    ([type, count]) => {
      window.presses = []
      // Ahead of the page's loads and timers, which come after the paint that counts.
      const next = (callback: () => void) => void scheduler.postTask(callback, { priority: 'user-blocking' })
      const paint = (left: number, done: (frameBegan: number) => void) => {
        requestAnimationFrame(() => {
          const frameBegan = performance.now()
          next(() => {
            if (left === 1) done(frameBegan)
            else paint(left - 1, done)
          })
        })
      }
      const take = (event: Event) => {
        const began = performance.now()
        let handledMs = 0
        next(() => {
          handledMs = performance.now() - began
        })
        paint(count, frameBegan => {
          const now = performance.now()
          window.presses.push({
            workMs: handledMs + now - frameBegan,
            paintedMs: now - event.timeStamp,
          })
        })
      }
      window.taking?.abort()
      window.taking = new AbortController()
      addEventListener(type, take, { capture: true, signal: window.taking.signal })
    },
    [kind, paints] as const,
  )
  await act()
  await page.waitForTimeout(500)
  return page.evaluate(() => window.presses)
}

async function type(page: Page): Promise<void> {
  await page.getByLabel('Phone number').pressSequentially(typed, { delay: 60 })
}

/**
 * Pressed as by a finger, which stays down for a moment; the opening is counted from when it is lifted, as the browser tells the
 * click. Looking for the button or the dialog would be work of this very page meanwhile.
 */
async function openPicker(page: Page): Promise<void> {
  const box = await page.getByRole('button', { name: /^Country: / }).boundingBox()
  if (box === null) throw new Error('the country button is not in sight')
  await page.waitForTimeout(300)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { delay: pressMs })
  await page.waitForTimeout(1000)
  await page.getByRole('dialog', { name: 'Choose a country' }).waitFor()
}

function figure(
  what: string,
  maxMs: number,
  { ours, bare }: { ours: readonly number[]; bare: readonly number[] },
): Figure {
  const [middle, peer] = [median(ours), median(bare)]
  const verdict = middle < maxMs ? 'holds' : 'MISSED'
  return {
    what: `${what}, ${slowdown}x slower`,
    value:
      `${middle.toFixed(1)} ms, worst ${Math.max(...ours).toFixed(1)} (under ${maxMs}: ${verdict}); ` +
      `${(middle / peer).toFixed(2)} times a page of bare HTML (${peer.toFixed(1)} ms)`,
  }
}
