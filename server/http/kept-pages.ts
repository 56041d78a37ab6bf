import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BuiltSite } from './built-site.ts'

interface KeptPage {
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>
  readonly body: Buffer
}

export interface KeptPages {
  /** Answers what is kept. Must be called before whatever sets headers, since a kept page has all of them. */
  answer(app: FastifyInstance): void
  /** Keeps what is answered. Must be called after whatever sets headers. */
  keep(app: FastifyInstance): void
}

const maxBytes = 32 * 1024 * 1024
/** Larger files are sent from the disk. */
const maxBodyBytes = 256 * 1024

/** What browsers, nginx and our own clients send. A free choice would let anybody fill the memory with copies. */
const commonEncodings: ReadonlySet<string | undefined> = new Set([
  undefined,
  'br',
  'gzip',
  'br, gzip',
  'gzip, br',
  'gzip, deflate',
  'gzip, deflate, br',
  'gzip, deflate, br, zstd',
])

/** Answers to these depend on more than the address. */
const conditions = ['if-none-match', 'if-match', 'if-modified-since', 'if-unmodified-since', 'range'] as const

/** `/api/`: answers have an id of their own; `/dev/`: only for this machine. */
const neverKept = /^\/(?:api|dev)\//

/** Remembers answers for files of the site, headers and all, until the next build. */
export function createKeptPages(site: BuiltSite, isStopping: () => boolean): KeptPages {
  const pages = new Map<string, KeptPage>()
  const begun = new WeakMap<FastifyRequest, number | undefined>()
  let builtAtMs: number | undefined
  let bytes = 0
  const forget = () => {
    pages.clear()
    bytes = 0
  }
  return {
    answer: app =>
      app.addHook('onRequest', (request, reply, done) => {
        if (builtAtMs !== site.builtAtMs()) {
          builtAtMs = site.builtAtMs()
          forget()
        }
        const name = nameOf(request)
        if (name === undefined || isStopping()) return done()
        const page = pages.get(name)
        if (page === undefined) {
          begun.set(request, builtAtMs)
          return done()
        }
        reply.hijack()
        reply.raw.writeHead(200, page.headers)
        reply.raw.end(page.body)
      }),
    keep: app =>
      app.addHook('onSend', async (request, reply, payload) => {
        const name = nameOf(request)
        const size = Number(reply.getHeader('content-length'))
        const isFile = reply.statusCode === 200 && request.routeOptions.url === '/*' && size <= maxBodyBytes
        const isForOne = reply.hasHeader('set-cookie')
        if (name === undefined || isStopping() || !isFile || isForOne || !begun.has(request)) return payload
        const body = await buffer(payload as Readable)
        // A build that ended meanwhile may have changed the file or its headers.
        if (begun.get(request) !== builtAtMs || body.length !== size) return body
        if (bytes + size > maxBytes) forget()
        bytes += size
        pages.set(name, { headers: { ...reply.getHeaders() }, body })
        return body
      }),
  }
}

/** Undefined if the answer is not to be kept. */
function nameOf({ method, url, headers }: FastifyRequest): string | undefined {
  const encoding = headers['accept-encoding']
  if (method !== 'GET' || url.includes('?') || neverKept.test(url)) return undefined
  if (!commonEncodings.has(encoding) || conditions.some(name => headers[name] !== undefined)) return undefined
  return `${encoding} ${url}`
}
