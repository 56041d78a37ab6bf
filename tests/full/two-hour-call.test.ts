import { type CDPSession, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrowser } from '#scripts/browser.mjs'
import { browserFlags } from '#support/browser-flags.ts'
import { readBuiltSite } from '#support/built-site.ts'
import { dial, signUp } from '#support/people.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'

/** A call as long as a film, in real time, with the real voice client and real sound: the page may not grow with it. */

const callMs = Number(process.env['TWO_HOUR_CALL_MS'] ?? 2 * 3_600_000)
/** What is loaded and cached with the first minutes of a call is not growth. */
const settledMs = 2 * 60_000
const maxGrowthBytes = 10 * 1024 * 1024
/** Of the page's elements: what it shows changes, and is not more after two hours. */
const maxGrowthNodes = 200

let farline: TestServer
beforeAll(async () => {
  readBuiltSite()
  farline = await startTestServer({ environment: { LONGEST_CALL_MINUTES: '240' } })
}, 120_000)
afterAll(() => farline.close())

interface Weight {
  readonly heapBytes: number
  readonly nodes: number
  readonly listeners: number
}

/** After all that can be let go has been. */
async function weigh(session: CDPSession): Promise<Weight> {
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const value = (name: string) => metrics.find(metric => metric.name === name)?.value ?? 0
  return {
    heapBytes: value('JSHeapUsedSize'),
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
  }
}

async function beginCall(page: Page): Promise<void> {
  const email = await signUp(page)
  await farline.admin('credit', email, '20', '--reason', 'a test')
  // Used up first: the free call ends after five minutes.
  for (const isFree of [true, false]) {
    await dial(page, '2125550100')
    await page.getByText('In Call', { exact: true }).waitFor()
    if (!isFree) return
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText('Balance: $20.00').waitFor()
    await expect.poll(() => farline.liveCalls()).toEqual([])
  }
}

test(
  'a call of two hours leaves the page as light as its second minute did',
  async () => {
    const browser = await chromium.launch({ executablePath: findBrowser() ?? '', args: browserFlags })
    try {
      const page = await browser.newPage({ baseURL: farline.url })
      await beginCall(page)
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable')
      const begun = performance.now()
      await page.waitForTimeout(Math.min(settledMs, callMs / 2))
      const early = await weigh(session)
      await page.waitForTimeout(Math.max(0, callMs - (performance.now() - begun)))
      const late = await weigh(session)
      console.info(`after ${Math.round((performance.now() - begun) / 60_000)} minutes`, { early, late })
      expect(await page.getByText('In Call', { exact: true }).isVisible()).toBe(true)
      expect(await page.getByText('Good connection').isVisible()).toBe(true)
      expect(late.heapBytes - early.heapBytes).toBeLessThan(maxGrowthBytes)
      expect(late.nodes - early.nodes).toBeLessThan(maxGrowthNodes)
      expect(late.listeners - early.listeners).toBeLessThan(20)
    } finally {
      await browser.close()
    }
  },
  callMs + 5 * 60_000,
)
