import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** How a request proves who sends it: nobody, the refresh cookie, the access token, or the cookie of an operator. */
export type Auth = 'none' | 'cookie' | 'bearer' | 'operator'

export interface Endpoint {
  readonly method: Method
  /** Path with `:name` for each parameter. */
  readonly path: string
  readonly auth: Auth
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  readonly body?: z.ZodMiniType
  /** Status of a successful answer. */
  readonly status: 200 | 201 | 202 | 204
  readonly reply: z.ZodMiniType
  /** The expected failures: code to HTTP status. Every endpoint may also answer `CommonErrorCode`s. */
  readonly errors: Readonly<Record<string, number>>
}

/** Declares one endpoint. The browser calls it, the server mounts it, both from this one value. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined
type Input<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined

export type Reply<E extends Endpoint> = z.output<E['reply']>
export type ErrorCode<E extends Endpoint> = (keyof E['errors'] & string) | CommonErrorCode
/** What a caller hands in. */
export type RequestInput<E extends Endpoint> = {
  readonly [K in 'params' | 'query' | 'body' as E[K] extends z.ZodMiniType ? K : never]: Input<E[K]>
}
/** What a handler receives, parsed. */
export type RequestOutput<E extends Endpoint> = {
  readonly [K in 'params' | 'query' | 'body' as E[K] extends z.ZodMiniType ? K : never]: Output<E[K]>
}

/** Failures any endpoint may answer with. */
export const commonErrors = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  not_found: 404,
  too_large: 413,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const
export type CommonErrorCode = keyof typeof commonErrors
