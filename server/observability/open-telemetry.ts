import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Tracing, TracingOptions } from './tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    trace?: { readonly span: Span; readonly context: Context }
  }
}

const exportPauseMs = 2000
const exportTimeoutMs = 5000
/** Limits how long an unreachable collector delays a stop. */
const defaultFlushMs = 3000

/** Registers nothing globally: the active context is known only here. */
export function startTracing(options: TracingOptions): Tracing {
  const { url, version, process, behindProxy, longestFlushMs = defaultFlushMs } = options
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: exportTimeoutMs })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'farline',
      'service.version': version,
      'service.instance.id': process,
    }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: exportPauseMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  })
  const tracer = provider.getTracer('farline')
  const contexts = new AsyncLocalStorageContextManager().enable()

  const span: Tracing['span'] = async (name, attributes, work) => {
    const parent = contexts.active()
    const began = tracer.startSpan(name, { attributes, kind: SpanKind.INTERNAL }, parent)
    try {
      return await contexts.with(trace.setSpan(parent, began), work)
    } catch (error) {
      // Only its name: a message may hold private data.
      began.setStatus({
        code: SpanStatusCode.ERROR,
        message: error instanceof Error ? error.name : 'unknown',
      })
      throw error
    } finally {
      began.end()
    }
  }
  const begin = (request: FastifyRequest) => {
    const parent = (behindProxy ? readTraceparent(request.headers.traceparent) : undefined) ?? ROOT_CONTEXT
    const route = request.routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const began = tracer.startSpan(
      `${request.method} ${route}`,
      { attributes, kind: SpanKind.SERVER },
      parent,
    )
    request.trace = { span: began, context: trace.setSpan(parent, began) }
  }
  return {
    span,
    part: (name, attributes, work) =>
      trace.getSpan(contexts.active()) === undefined ? work() : span(name, attributes, work),
    watch: app => watchRequests(app, contexts, begin),
    close: async () => {
      let timer: NodeJS.Timeout | undefined
      const enough = new Promise<void>(resolve => {
        timer = setTimeout(resolve, longestFlushMs)
      })
      await Promise.race([provider.shutdown().catch(() => {}), enough])
      clearTimeout(timer)
      contexts.disable()
    },
  }
}

function watchRequests(
  app: FastifyInstance,
  contexts: AsyncLocalStorageContextManager,
  begin: (request: FastifyRequest) => void,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    begin(request)
    contexts.with(request.trace?.context ?? ROOT_CONTEXT, done)
  })
  // Reading a body loses the request's context, as it continues in the socket's data event.
  app.addHook('preValidation', (request, _reply, done) => {
    contexts.with(request.trace?.context ?? ROOT_CONTEXT, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    request.trace?.span.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) request.trace?.span.setStatus({ code: SpanStatusCode.ERROR })
    request.trace?.span.end()
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    request.trace?.span.end()
    done()
  })
}

/** W3C Trace Context, version 00. */
function readTraceparent(header: string | string[] | undefined): Context | undefined {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header)) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  const traceFlags = Number.parseInt(flags, 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
