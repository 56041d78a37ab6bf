import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint, Reply, RequestOutput } from '#lib/api/endpoint.ts'
import type { Clock } from '../clock.ts'
import { type Bearer, verifyAccessToken } from '../identity/access-token.ts'
import type { OperatorSession } from '../services/operations/operator-sessions.ts'
import { commonFailure, RequestFailure } from './failure.ts'

/** What a handler receives besides the parsed request. `userId` is there on bearer endpoints only. */
export type HandlerContext<E extends Endpoint> = RequestOutput<E> & {
  readonly userId: E['auth'] extends 'bearer' ? string : undefined
  /** Whose cookie it is; there on operators' endpoints only. */
  readonly operator: E['auth'] extends 'operator' ? OperatorSession : undefined
  /** Of the access token; undefined where that does not name one. */
  readonly sessionId: string | undefined
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

export interface MountTools {
  readonly accessKey: Uint8Array
  readonly clock: Clock
  /** Whether a session has ended, asked of every request that names one. Without it tokens work until they expire. */
  readonly sessionIsOver?: (sessionId: string) => Promise<boolean>
  /** Whose operator's cookie a request carries. Without it nobody is an operator. */
  readonly operatorOf?: (request: FastifyRequest) => Promise<OperatorSession | undefined>
}

/** Serves endpoints of the contract: checks who asks, parses what they send, answers what they promise. */
export function createMount(app: FastifyInstance, tools: MountTools): Mount {
  return (endpoint, handler, options = {}) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...rateLimit(options),
      handler: async (request, reply) => {
        const bearer = endpoint.auth === 'bearer' ? await authenticate(request, tools) : undefined
        const operator = endpoint.auth === 'operator' ? await tools.operatorOf?.(request) : undefined
        if (endpoint.auth === 'operator' && operator === undefined) throw commonFailure('unauthorized')
        const parts: Record<string, unknown> = {}
        for (const part of ['params', 'query', 'body'] as const) {
          const schema = endpoint[part]
          if (schema !== undefined) parts[part] = parse(schema, request[part])
        }
        const context = { ...parts, ...(bearer ?? { userId: undefined }), operator, http: { request, reply } }
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

/** Whose access token a request carries. @throws RequestFailure where it carries none that works */
export async function authenticate(
  request: FastifyRequest,
  { accessKey, clock, sessionIsOver }: MountTools,
): Promise<Bearer> {
  const [, token] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  const bearer = token === undefined ? undefined : await verifyAccessToken(accessKey, token, clock)
  if (bearer === undefined) throw commonFailure('unauthorized')
  const { sessionId } = bearer
  if (sessionId !== undefined && (await sessionIsOver?.(sessionId))) throw commonFailure('unauthorized')
  return bearer
}

function parse(schema: z.ZodMiniType, value: unknown): unknown {
  if (holdsUnwanted(value, deepest)) throw commonFailure('invalid_request')
  const parsed = z.safeParse(schema, value ?? {})
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map(issue => ({
    message: issue.message,
    ...(issue.path.length > 0 ? { field: issue.path.join('.') } : {}),
  }))
  const failure = commonFailure('invalid_request', errors[0]?.message)
  throw new RequestFailure(failure.code, failure.status, failure.message, { errors })
}

/** Levels of JSON, more than any request of ours has; reliability row 36. */
const deepest = 8

/** JSON of too many levels, or a NUL: PostgreSQL's text holds every character but that one, and no field of ours wants it. */
function holdsUnwanted(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(part => holdsUnwanted(part, levels - 1))
}
