import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint, Reply, RequestOutput } from '#lib/api/endpoint.ts'
import type { Clock } from '../clock.ts'
import { verifyAccessToken } from '../identity/access-token.ts'
import { commonFailure, RequestFailure } from './failure.ts'

/** What a handler receives besides the parsed request. `userId` is there on bearer endpoints only. */
export type HandlerContext<E extends Endpoint> = RequestOutput<E> & {
  readonly userId: E['auth'] extends 'bearer' ? string : undefined
  readonly http: { readonly request: FastifyRequest; readonly reply: FastifyReply }
}

export type Handler<E extends Endpoint> = (context: HandlerContext<E>) => Promise<Reply<E>>

export interface MountOptions {
  /** Requests a minute from one address; undefined: no limit of its own. */
  readonly perMinute?: number
  /** The same an hour, instead. */
  readonly perHour?: number
}

export type Mount = <E extends Endpoint>(endpoint: E, handler: Handler<E>, options?: MountOptions) => void

/** Serves endpoints of the contract: checks who asks, parses what they send, answers what they promise. */
export function createMount(app: FastifyInstance, tools: { accessKey: Uint8Array; clock: Clock }): Mount {
  return (endpoint, handler, options = {}) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...rateLimit(options),
      handler: async (request, reply) => {
        const userId = endpoint.auth === 'bearer' ? await authenticate(request, tools) : undefined
        const parts: Record<string, unknown> = {}
        for (const part of ['params', 'query', 'body'] as const) {
          const schema = endpoint[part]
          if (schema !== undefined) parts[part] = parse(schema, request[part])
        }
        const context = { ...parts, userId, http: { request, reply } }
        const answer = await handler(context as unknown as Parameters<typeof handler>[0])
        reply.code(endpoint.status)
        return endpoint.status === 204 ? undefined : answer
      },
    })
  }
}

function rateLimit({ perMinute, perHour }: MountOptions): object {
  if (perMinute !== undefined) return { config: { rateLimit: { max: perMinute, timeWindow: 60_000 } } }
  if (perHour !== undefined) return { config: { rateLimit: { max: perHour, timeWindow: 3_600_000 } } }
  return {}
}

async function authenticate(
  request: FastifyRequest,
  { accessKey, clock }: { accessKey: Uint8Array; clock: Clock },
): Promise<string> {
  const [, token] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  const userId = token === undefined ? undefined : await verifyAccessToken(accessKey, token, clock)
  if (userId === undefined) throw commonFailure('unauthorized')
  return userId
}

function parse(schema: z.ZodMiniType, value: unknown): unknown {
  if (holdsNul(value)) throw commonFailure('invalid_request')
  const parsed = z.safeParse(schema, value ?? {})
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map(issue => ({
    message: issue.message,
    ...(issue.path.length > 0 ? { field: issue.path.join('.') } : {}),
  }))
  const failure = commonFailure('invalid_request', errors[0]?.message)
  throw new RequestFailure(failure.code, failure.status, failure.message, { errors })
}

/** PostgreSQL's text holds every character but this one, and no field of ours wants it. */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsNul)
}
