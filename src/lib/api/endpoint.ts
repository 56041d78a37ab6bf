import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Authentication: none, the refresh cookie, the access token, or an operator's cookie. */
export type Auth = 'none' | 'cookie' | 'bearer' | 'operator'

export interface Endpoint {
  readonly method: Method
  /** Path with `:name` for each parameter. */
  readonly path: string
  readonly auth: Auth
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  readonly body?: z.ZodMiniType
  readonly status: 200 | 201 | 202 | 204
  readonly reply: z.ZodMiniType
  /** Expected failures: code to HTTP status. Every endpoint may also return `CommonErrorCode`s. */
  readonly errors: Readonly<Record<string, number>>
}

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined
type Input<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined

export type Reply<E extends Endpoint> = z.output<E['reply']>
export type ErrorCode<E extends Endpoint> = (keyof E['errors'] & string) | CommonErrorCode
export type RequestInput<E extends Endpoint> = {
  readonly [K in 'params' | 'query' | 'body' as E[K] extends z.ZodMiniType ? K : never]: Input<E[K]>
}
export type RequestOutput<E extends Endpoint> = {
  readonly [K in 'params' | 'query' | 'body' as E[K] extends z.ZodMiniType ? K : never]: Output<E[K]>
}

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
