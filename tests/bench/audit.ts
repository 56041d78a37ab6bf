import lighthouse, { type Result } from 'lighthouse'
import { chromium } from 'playwright'
import { quietBrowserFlags } from '#support/browser-flags.ts'
import { findFreePort } from '#support/test-server.ts'

/** What Lighthouse says of one load of a page. */
export interface Audit {
  /** 0 to 100. */
  readonly performance: number
  /** 0 to 100 each: accessibility, best practices, SEO. */
  readonly others: readonly number[]
  readonly lcpMs: number
  /** Total blocking time. */
  readonly tbtMs: number
  readonly cls: number
  /** Audits beside performance that cost points. */
  readonly failed: readonly string[]
}

export interface Auditor {
  audit(url: string): Promise<Audit>
  close(): Promise<void>
}

const otherCategories = ['accessibility', 'best-practices', 'seo']

/** Lighthouse as it comes: a phone of the middle class on slow 4G, simulated; every load with an empty cache. */
export async function openAuditor(executablePath: string): Promise<Auditor> {
  const port = await findFreePort()
  const browser = await chromium.launch({
    executablePath,
    args: [...quietBrowserFlags, `--remote-debugging-port=${port}`],
  })
  return { audit: url => audit(url, port), close: () => browser.close() }
}

/** Loads tried in all, before one that could not be recorded counts: the browser sometimes loses its trace. */
const tries = 3

async function load(url: string, port: number, left = tries): Promise<Result> {
  const onlyCategories = ['performance', ...otherCategories]
  const result = await lighthouse(url, { port, logLevel: 'silent', onlyCategories })
  if (result === undefined) throw new Error(`Lighthouse gave nothing for ${url}`)
  if (!result.lhr.runtimeError) return result.lhr
  if (left === 1) throw new Error(`${url}: ${result.lhr.runtimeError.message}`)
  return load(url, port, left - 1)
}

async function audit(url: string, port: number): Promise<Audit> {
  const { audits, categories } = await load(url, port)
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100)
  const weighed = otherCategories.flatMap(category => categories[category]?.auditRefs ?? [])
  const failed = weighed.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN
  return {
    performance: score('performance'),
    others: otherCategories.map(score),
    lcpMs: value('largest-contentful-paint'),
    tbtMs: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    failed: failed.map(({ id }) => id),
  }
}
