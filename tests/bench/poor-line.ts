import { setTimeout } from 'node:timers/promises'
import { type BrowserContext, chromium, type Page } from 'playwright'
import { type LineLimits, laySlowCable, whyNoCable } from '#support/bad-network-namespace.ts'
import { browserFlags } from '#support/browser-flags.ts'
import { listenToPage } from '#support/page-audio.ts'
import { newAddress, signUp } from '#support/people.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'
import { placeCall, type SetUp, watchSignalling } from './call-set-up.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

const calls = 15
const newPages = 5
/** Long enough for the page to prepare a call over this line. */
const preparingMs = 5000
/** When nobody waits for a call any more. */
const limitMs = 60_000
const loads = 5
const maxSetUpMs = 5000
const maxUsableMs = 3000
/** A phone of the middle class, as Lighthouse has it. */
const slowdown = 4
const unlimited = { downKbits: Number.POSITIVE_INFINITY, upKbits: Number.POSITIVE_INFINITY }
const lossy: LineLimits = { roundTripMs: 300, lossPercent: 5, ...unlimited }
/** Lighthouse's slow 4G. */
const slow4g: LineLimits = { roundTripMs: 150, lossPercent: 0, downKbits: 1600, upKbits: 750 }
const slow3g: LineLimits = { roundTripMs: 400, lossPercent: 0, downKbits: 400, upKbits: 400 }

declare global {
  interface Window {
    /** When the dialler's field could first be typed into, by `performance.now()`; 0 before. */
    usableAtMs: number
  }
}

/** Calls and page loads over lines whose packets are really late and really lost, in a network namespace. */
export async function benchPoorLine(): Promise<Figure[]> {
  const why = process.env['CHROMIUM_PATH'] === undefined ? 'no browser' : whyNoCable()
  if (why !== undefined) return [{ what: 'poor lines', value: `SKIPPED: ${why}` }]
  return [
    ...(await overLine(lossy, measureSetUps)),
    ...(await overLine(slow4g, far => measureLoads(far, '1.6 Mbit/s, 150 ms', maxUsableMs))),
    ...(await overLine(slow3g, far => measureLoads(far, '400 kbit/s, 400 ms'))),
  ]
}

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>

/** A browser at the far end of a line. */
interface Far {
  readonly server: TestServer
  /** A browser that has been nowhere, but is logged in with these cookies. */
  open(cookies?: Cookies): Promise<BrowserContext>
}

async function overLine(limits: LineLimits, measure: (far: Far) => Promise<Figure[]>): Promise<Figure[]> {
  const cable = await laySlowCable(limits)
  const server = await startTestServer({
    environment: { HOST: '0.0.0.0', DANGEROUSLY_EXPOSE_STAND_INS: 'yes', EXCHANGE_ADDRESS: cable.address },
  })
  const url = server.url.replace('localhost', cable.address)
  const browser = await chromium.launch({
    executablePath: cable.wrap(process.env['CHROMIUM_PATH'] ?? ''),
    args: [...browserFlags, `--unsafely-treat-insecure-origin-as-secure=${url}`],
  })
  const open = async (cookies?: Cookies) => {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width: 390, height: 844 },
      ...(cookies && { storageState: cookies }),
    })
    context.setDefaultTimeout(120_000)
    await listenToPage(context)
    await context.addInitScript(watchSignalling)
    await context.addInitScript(watchDialler)
    return context
  }
  try {
    return await measure({ server, open })
  } finally {
    await browser.close()
    await server.close()
    cable.remove()
  }
}

/** Logs a user in who has credits. */
async function enter({ open, server }: Far): Promise<{ page: Page; cookies: Cookies }> {
  const context = await open()
  const page = await context.newPage()
  const email = await signUp(page, { email: newAddress('bench') })
  await server.admin('credit', email, '50', '--reason', 'a bench')
  return { page, cookies: await context.storageState() }
}

async function measureSetUps(far: Far): Promise<Figure[]> {
  const { page, cookies } = await enter(far)
  const prepared: SetUp[] = []
  for (let call = 0; call < calls; call += 1)
    prepared.push(await withinLimit(placeCall(page, far.server, preparingMs)))
  const unprepared: SetUp[] = []
  for (let round = 0; round < newPages; round += 1) {
    const context = await far.open(cookies)
    const fresh = await context.newPage()
    await fresh.goto('/call')
    unprepared.push(await withinLimit(placeCall(fresh, far.server, 0)))
    await context.close()
  }
  const where = '300 ms, 5% loss each way'
  return [
    setUpFigure(`Call pressed to answered, ${where}`, prepared, each => each.answeredMs),
    setUpFigure(`Call pressed to first sound, ${where}`, prepared, each => each.soundMs),
    setUpFigure(`empty cache, pressed at once, to first sound, ${where}`, unprepared, each => each.soundMs),
  ]
}

/** A call that takes too long, or fails, counts as one that takes the limit. */
async function withinLimit(setUp: Promise<SetUp>): Promise<SetUp> {
  const timer = new AbortController()
  const late = setTimeout(limitMs, null, { signal: timer.signal }).catch(() => null)
  // Left behind, it fails when its page is closed.
  setUp.catch(() => undefined)
  const inTime = await Promise.race([setUp, late])
  timer.abort()
  return inTime ?? { ringingMs: limitMs, answeredMs: limitMs, soundMs: limitMs }
}

function setUpFigure(what: string, setUps: readonly SetUp[], of: (each: SetUp) => number): Figure {
  const figures = setUps.map(of)
  const verdict = median(figures) < maxSetUpMs ? 'holds' : 'MISSED'
  const late = figures.filter(ms => ms >= maxSetUpMs).length
  const worst = Math.max(...figures)
  const failed = figures.filter(ms => ms === limitMs).length
  return {
    what,
    value:
      `${median(figures).toFixed(0)} ms, worst ${worst.toFixed(0)} ms (under ${maxSetUpMs}: ${verdict}; ` +
      `of ${figures.length}, ${late} later and ${failed} of them not in ${limitMs / 1000} s)`,
  }
}

async function measureLoads(far: Far, where: string, maxMs?: number): Promise<Figure[]> {
  const { cookies } = await enter(far)
  const cold: number[] = []
  const warm: number[] = []
  for (let round = 0; round < loads; round += 1) {
    const context = await far.open(cookies)
    cold.push(await loadDialler(context))
    warm.push(await loadDialler(context))
    await context.close()
  }
  const figure = (cache: string, times: readonly number[]): Figure => {
    const middle = median(times)
    const goal = maxMs === undefined ? '' : ` (under ${maxMs}: ${middle < maxMs ? 'holds' : 'MISSED'})`
    return {
      what: `dialler usable, ${cache} cache, ${where}, ${slowdown}x slower`,
      value: `${middle.toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms${goal}`,
    }
  }
  return [figure('empty', cold), figure('full', warm)]
}

/** @returns from the navigation until a number can be typed, in milliseconds */
async function loadDialler(context: BrowserContext): Promise<number> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto('/call', { waitUntil: 'commit' })
  await page.waitForFunction(() => window.usableAtMs > 0, undefined, { polling: 100 })
  const usableAtMs = await page.evaluate(() => window.usableAtMs)
  await page.getByRole('textbox', { name: 'Phone number' }).fill('2125550100')
  await page
    .getByText(/per minute/)
    .first()
    .waitFor()
  // What the page loads later belongs to its cache, too.
  await page.waitForLoadState('networkidle')
  await page.close()
  return usableAtMs
}

/** Runs in the page before its scripts. */
function watchDialler(): void {
  window.usableAtMs = 0
  new MutationObserver((_, observer) => {
    // The one drawn at the build is for the eye alone.
    if (document.querySelector('input.number:not([inert] *)') === null) return
    observer.disconnect()
    window.usableAtMs = performance.now()
  }).observe(document, { childList: true, subtree: true })
}
