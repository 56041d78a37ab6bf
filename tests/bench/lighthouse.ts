import { startTestServer } from '#support/test-server.ts'
import { serveAstroBlog } from './astro-blog.ts'
import { type Audit, openAuditor } from './audit.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

const rounds = 5
const landing = '/'
const dialler = '/call'
const routes = [
  landing,
  dialler,
  '/calling/in',
  '/faq',
  '/blog/why-a-leading-zero-breaks-an-international-number',
  '/buy-credits',
  '/es',
  '/es/buy-credits',
  '/ar',
  '/ar/calling/in',
]
/** Good by web.dev/cls: on a first visit headings shift a little when their font arrives (ADR-22). */
const maxCls = 0.1
const minPerformance = 99
const maxRatiosToPeer = { [landing]: 0.75, [dialler]: 1 }

/** Lighthouse for a phone on each kind of public page, and the landing and the dialler beside Astro's own blog example. */
export async function benchLighthouse(): Promise<Figure[]> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (!executablePath) return [{ what: 'Lighthouse', value: 'SKIPPED: no browser' }]
  const peer = await serveAstroBlog()
  const server = await startTestServer()
  const auditor = await openAuditor(executablePath)
  try {
    const urls = [...routes.map(route => `${server.url}${route}`), `${peer.url}/`]
    const audits: Audit[][] = urls.map(() => [])
    // Page after page in each round: what slows the machine for a while slows all of them.
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, url] of urls.entries()) audits[index]?.push(await auditor.audit(url))
    }
    const ofPeer = audits.pop() ?? []
    return [
      ...routes.map((route, index) => describe(route, audits[index] ?? [])),
      { what: "LCP of Astro's blog example, same server and run", value: `${lcp(ofPeer).toFixed(0)} ms` },
      ...Object.entries(maxRatiosToPeer).map(([route, max]) =>
        compare(route, lcp(audits[routes.indexOf(route)] ?? []) / lcp(ofPeer), max),
      ),
    ]
  } finally {
    await auditor.close()
    await server.close()
    await peer.close()
  }
}

function describe(route: string, audits: readonly Audit[]): Figure {
  const performance = median(audits.map(audit => audit.performance))
  const others = [0, 1, 2].map(index => median(audits.map(audit => audit.others[index] ?? 0)))
  const cls = median(audits.map(audit => audit.cls))
  const tbtMs = median(audits.map(audit => audit.tbtMs))
  const holds = performance >= minPerformance && others.every(score => score === 100) && cls <= maxCls
  const failed = [...new Set(audits.flatMap(audit => audit.failed))].join(', ')
  const verdict = holds ? 'holds' : `MISSED ${failed}`
  return {
    what: `Lighthouse, phone, ${route}`,
    value: `${[performance, ...others].join(' ')}, LCP ${lcp(audits).toFixed(0)} ms, TBT ${tbtMs.toFixed(0)} ms, CLS ${cls.toFixed(3)}: ${verdict}`,
  }
}

function compare(route: string, ratio: number, max: number): Figure {
  const verdict = ratio <= max ? 'holds' : 'MISSED'
  return { what: `ratio of ${route}`, value: `${ratio.toFixed(2)} (at most ${max}: ${verdict})` }
}

function lcp(audits: readonly Audit[]): number {
  return median(audits.map(audit => audit.lcpMs))
}
