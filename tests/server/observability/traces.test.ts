import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { openTracing, type Tracing } from '#server/observability/tracing.ts'
import { startWorkers } from '#server/workers.ts'
import { createWatched, type Watched } from './watched.ts'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
}

/** An OpenTelemetry collector that keeps what it gets: OTLP over HTTP, as JSON. */
async function openCollector(): Promise<{
  url: string
  spans: Span[]
  paths: Set<string>
  close(): Promise<void>
}> {
  const spans: Span[] = []
  const paths = new Set<string>()
  const server: Server = createServer((request, response) => {
    paths.add(request.url ?? '')
    void json(request).then(body => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans)))
      response.setHeader('content-type', 'application/json').end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    paths,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(
  url: string,
  behindProxy = false,
  longestFlushMs = 3000,
): Promise<{ tracing: Tracing; watched: Watched; flush: () => Promise<void> }> {
  const tracing = await openTracing({ url, version: '1.2.3', process: 'here', behindProxy, longestFlushMs })
  if (tracing === undefined) throw new Error('nothing is traced')
  const watched = await createWatched({ tracing })
  closing.push(() => watched.close())
  return { tracing, watched, flush: () => tracing.close() }
}

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('a request, its transactions and what it asks of a provider are one trace, without anybody’s data', async () => {
  const collector = await openCollector()
  closing.push(collector.close)
  const { watched, flush } = await start(collector.url)
  const email = 'anna.private@example.com'
  const password = 'correct horse battery'
  await watched.app.inject({
    method: 'POST',
    url: '/api/auth/register?secret=in-the-address',
    payload: { email, password },
  })
  await watched.app.inject({ url: '/api/calls/%2B442079460123', headers: { traceparent } })
  await flush()
  expect(collector.paths).toEqual(new Set(['/v1/traces']))
  const { spans } = collector
  const request = spans.find(({ name }) => name === 'POST /api/auth/register')
  expect(request?.parentSpanId ?? '').toBe('')
  const parts = spans.filter(
    ({ traceId, spanId }) => traceId === request?.traceId && spanId !== request?.spanId,
  )
  expect(parts.map(({ name }) => name)).toContain('database transaction')
  expect(parts.some(({ parentSpanId }) => parentSpanId === request?.spanId)).toBe(true)
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 202 } })
  const other = spans.find(({ name }) => name === 'GET /api/calls/:id')
  expect(other?.traceId).not.toBe(request?.traceId)
  // No proxy of ours is in front: whoever sends a trace's name has made it up.
  expect(other?.traceId).not.toBe('4bf92f3577b34da6a3ce929d0e0e4736')
  const everything = JSON.stringify(spans)
  for (const secret of ['anna', password, 'in-the-address', '442079460123'])
    expect(everything).not.toContain(secret)
})

test('behind a proxy of ours a request belongs to the trace that it names; nonsense begins one', async () => {
  const collector = await openCollector()
  closing.push(collector.close)
  const { watched, flush } = await start(collector.url, true)
  await watched.app.inject({ url: '/healthz', headers: { traceparent } })
  await watched.app.inject({
    url: '/readyz',
    headers: { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
  })
  await flush()
  const named = collector.spans.find(({ name }) => name === 'GET /healthz')
  expect(named).toMatchObject({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentSpanId: '00f067aa0ba902b7',
  })
  const nonsense = collector.spans.find(({ name }) => name === 'GET /readyz')
  expect(nonsense?.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
})

test('jobs and providers are traced; a loop that finds nothing to do is not', async () => {
  const collector = await openCollector()
  closing.push(collector.close)
  const { tracing, watched, flush } = await start(collector.url)
  const mail = { key: 'k', to: 'anna.private@example.com', subject: 'private', text: 'private', html: '' }
  await enqueue(watched.world.db, { kind: 'mail', mail }, watched.world.clock.now())
  let sent = 0
  const workers = startWorkers({
    services: watched.services,
    mailer: {
      send: async () => {
        sent += 1
      },
    },
    liveCallIds: () => [],
    log: createLog('silent'),
    tracing,
  })
  await vi.waitFor(() => expect(sent).toBe(1), 10_000)
  await workers.stop()
  await watched.services.payments.lookUp('cs_1')
  await flush()
  const names = collector.spans.map(({ name }) => name)
  expect(names).toContain('job mail')
  expect(names).toContain('stripe lookUp')
  const jobs = new Set(
    collector.spans.filter(({ name }) => name === 'job mail').map(({ traceId }) => traceId),
  )
  const loose = collector.spans.filter(
    ({ name, parentSpanId = '' }) => name.startsWith('database') && parentSpanId === '',
  )
  expect(jobs.size).toBe(1)
  expect(loose).toEqual([])
  expect(JSON.stringify(collector.spans)).not.toContain('private')
})

test('a collector that is away or silent breaks nothing, and delays no stop', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  closing.push(async () => {
    silent.closeAllConnections()
    silent.close()
  })
  const { port } = silent.address() as AddressInfo
  for (const url of ['http://127.0.0.1:1', `http://127.0.0.1:${port}`]) {
    const { watched, flush } = await start(url, false, 300)
    expect((await watched.app.inject({ url: '/readyz' })).statusCode).toBe(200)
    const began = performance.now()
    await flush()
    expect(performance.now() - began).toBeLessThan(2500)
    expect((await watched.app.inject({ url: '/readyz' })).statusCode).toBe(200)
  }
})

test('nothing is loaded where it is not configured', async () => {
  expect(await openTracing(undefined)).toBeUndefined()
})
