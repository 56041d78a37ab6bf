import type { Endpoint, RequestInput } from '#lib/api/endpoint.ts'
import { currentToken, endSession, refreshAfter, start } from './session.ts'
import { texts } from './texts.ts'
import { type ApiResult, type RequestOptions, request, transportFailure } from './transport.ts'

export interface AuthorisedOptions extends RequestOptions {
  /** Keeps the session if it cannot be renewed, for background work. */
  readonly skipLogoutOnFail?: boolean
}

/**
 * Sends a request with the access token (SPEC-4.5). A 401 triggers one refresh, shared by concurrent requests, and one
 * retry. A refused refresh logs the user out (unless `skipLogoutOnFail`); one without an answer keeps the session.
 */
export async function authorised<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
  { skipLogoutOnFail = false, ...options }: AuthorisedOptions = {},
): Promise<ApiResult<E>> {
  await start()
  const token = currentToken()
  const first: ApiResult<E> =
    token === null ? missingToken() : await request(endpoint, input, { ...options, token })
  if (first.ok || first.status !== 401) return first
  const outcome = await refreshAfter(token)
  if (outcome === 'refreshed') return request(endpoint, input, { ...options, token: currentToken() })
  if (outcome === 'unreachable') return transportFailure('offline')
  if (!skipLogoutOnFail) endSession()
  return first
}

const missingToken = () =>
  ({ ok: false, code: 'unauthorized', message: texts.unauthorized, status: 401, body: null }) as const
