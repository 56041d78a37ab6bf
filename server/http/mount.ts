import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint, Reply, RequestOutput } from '#lib/api/endpoint.ts'
import { hourMs, minuteMs } from '#lib/time.ts'
import { pageRequestsPerMinute } from '../config/policy.ts'
import { type Bearer, verifyAccessToken } from '../identity/access-token.ts'
import type { FoundOperator, OperatorSession } from '../identity/operator-sessions.ts'
import { inLanguage, languageOf } from '../languages/languages.ts'
import { isLoopback } from '../limits/origin.ts'
import type { Clock } from '../process/clock.ts'
import { commonFailure, RequestFailure } from './failure.ts'

/** What a handler receives besides the parsed request. `userId` is set only on bearer endpoints. */
export type HandlerContext<E extends Endpoint> = RequestOutput<E> & {
  readonly userId: E['auth'] extends 'bearer' ? string : undefined
  readonly operator: E['auth'] extends 'operator' ? OperatorSession : undefined
  /** From the access token; undefined if that names none. */
  readonly sessionId: string | undefined
  readonly http: { readonly request: FastifyRequest; readonly reply: FastifyReply }
}

export type Handler<E extends Endpoint> = (context: HandlerContext<E>) => Promise<Reply<E>>

export interface MountOptions {
  /** Requests per minute from one address; undefined: no limit. */
  readonly perMinute?: number
  readonly perHour?: number
  readonly exceptLoopback?: boolean
}

/** Requests that every page makes by itself. */
export const pageRequests: MountOptions = { perMinute: pageRequestsPerMinute, exceptLoopback: true }

export type Mount = <E extends Endpoint>(endpoint: E, handler: Handler<E>, options?: MountOptions) => void

export interface MountTools {
  readonly accessKey: Uint8Array
  readonly clock: Clock
  /** Checked for every request with a session. Without it, tokens work until they expire. */
  readonly sessionIsOver?: (sessionId: string) => Promise<boolean>
  /** Finds the operator of a request's cookie. Without it, nobody is an operator. */
  readonly operatorOf?: (request: FastifyRequest) => Promise<FoundOperator>
}

/** Serves endpoints of the contract: authenticates and parses each request, and answers in the language of its page. */
export function createMount(app: FastifyInstance, tools: MountTools): Mount {
  return (endpoint, handler, options = {}) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...rateLimit(options),
      handler: (request, reply) => inLanguage(languageOf(request), () => answer(request, reply)),
    })

    async function answer(request: FastifyRequest, reply: FastifyReply) {
      const bearer = endpoint.auth === 'bearer' ? await authenticate(request, tools) : undefined
      const operator = endpoint.auth === 'operator' ? await tools.operatorOf?.(request) : undefined
      if (endpoint.auth === 'operator' && operator === undefined) throw commonFailure('unauthorized')
      if (operator === 'second_factor_required')
        throw new RequestFailure(operator, 403, operatorsSecondFactor)
      const parts: Record<string, unknown> = {}
      for (const part of ['params', 'query', 'body'] as const) {
        const schema = endpoint[part]
        if (schema !== undefined) parts[part] = parse(schema, request[part])
      }
      const context = { ...parts, ...(bearer ?? { userId: undefined }), operator, http: { request, reply } }
      const value = await handler(context as unknown as Parameters<typeof handler>[0])
      reply.code(endpoint.status)
      return endpoint.status === 204 ? undefined : value
    }
  }
}

export const operatorsSecondFactor =
  'This page needs a second factor. Add a passkey or an authenticator app to your account, log in with it, and open a new link.'

function rateLimit({ perMinute, perHour, exceptLoopback = false }: MountOptions): object {
  const allowList = exceptLoopback ? ({ ip }: FastifyRequest) => isLoopback(ip) : []
  if (perMinute !== undefined)
    return { config: { rateLimit: { max: perMinute, timeWindow: minuteMs, allowList } } }
  if (perHour !== undefined) return { config: { rateLimit: { max: perHour, timeWindow: hourMs, allowList } } }
  return {}
}

/** The bearer of a request's access token. @throws RequestFailure without a valid token */
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

/** Max depth of JSON; no request of ours is as deep (REL-36). */
const deepest = 8

/** Rejects JSON that is too deep, and NUL, the one character that PostgreSQL's text cannot hold. */
function holdsUnwanted(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(part => holdsUnwanted(part, levels - 1))
}
