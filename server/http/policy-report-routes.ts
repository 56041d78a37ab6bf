import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { minuteMs } from '#lib/time.ts'
import { type EventTools, reportSecurityEvent } from '../observability/security-events.ts'
import { commonFailure } from './failure.ts'
import { policyReportPath } from './security-headers.ts'

const text = z.string().check(z.maxLength(2000))
/** The fields we read of a `report-uri` report (Content Security Policy Level 3). */
const policyReport = z.object({
  'csp-report': z.object({
    'effective-directive': text,
    'blocked-uri': text,
    'document-uri': text,
  }),
})

/** From one address. A broken release makes every page report; one line of each kind is enough. */
const reportsPerMinute = 10
const longestReportBytes = 8192

/** Logs policy violations. An address may hold a number or a name: only the first part of its path is kept. */
export function mountPolicyReports(app: FastifyInstance, tools: EventTools): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/json'],
      { parseAs: 'string', bodyLimit: longestReportBytes },
      scope.getDefaultJsonParser('error', 'error'),
    )
    scope.post(
      policyReportPath,
      { config: { rateLimit: { max: reportsPerMinute, timeWindow: minuteMs } } },
      async (request, reply) => {
        const report = z.safeParse(policyReport, request.body)
        if (!report.success) throw commonFailure('invalid_request')
        const {
          'effective-directive': directive,
          'blocked-uri': blocked,
          'document-uri': page,
        } = report.data['csp-report']
        if (!isExtension(blocked)) {
          reportSecurityEvent(
            tools,
            'policy_violated',
            { address: request.ip },
            {
              directive: /^[a-z-]{1,40}$/.test(directive) ? directive : 'unknown',
              blocked: sourceOf(blocked),
              page: firstPart(page),
            },
          )
        }
        return reply.code(204).send()
      },
    )
    done()
  })
}

/** Code that a browser extension adds to a page is blocked too, and is not our problem. */
function isExtension(blocked: string): boolean {
  return /^[a-z-]*extension\b/.test(blocked)
}

/** The origin of an address, a scheme without one, or a keyword such as `inline`. */
function sourceOf(blocked: string): string {
  const url = URL.parse(blocked)
  if (url !== null) return url.origin === 'null' ? url.protocol : url.origin
  return /^[a-z-]{1,40}$/.test(blocked) ? blocked : 'unknown'
}

function firstPart(page: string): string {
  const [, first = ''] = /^\/([a-z_-]*)/.exec(URL.parse(page)?.pathname ?? '') ?? []
  return `/${first}`
}
