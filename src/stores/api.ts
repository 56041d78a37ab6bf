import type { Endpoint, RequestInput } from '#lib/api/endpoint.ts'
import { currentToken, endSession, refreshAfter, start } from './session.ts'
import { type ApiResult, type RequestOptions, request } from './transport.ts'

export interface AuthorisedOptions extends RequestOptions {
  /** Leaves the session as it is when it could not be renewed, as for work in the background. */
  readonly skipLogoutOnFail?: boolean
}

/**
 * A request with the access token (specification section 4): a 401 triggers a refresh, which requests
 * failing at the same time share; then the request is retried once. When the refresh is refused the
 * user is logged out, unless `skipLogoutOnFail` is set, and the 401 comes back as a failure
 * `unauthorized`. A refresh that got no answer leaves the session alone: nobody refused it.
 */
export async function authorised<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
  { skipLogoutOnFail = false, ...options }: AuthorisedOptions = {},
): Promise<ApiResult<E>> {
  await start()
  const token = currentToken()
  const first: ApiResult<E> =
    token === null ? missingToken : await request(endpoint, input, { ...options, token })
  if (first.ok || first.status !== 401) return first
  const outcome = await refreshAfter(token)
  if (outcome === 'refreshed') return request(endpoint, input, { ...options, token: currentToken() })
  if (outcome === 'unreachable') return unreachable
  if (!skipLogoutOnFail) endSession()
  return first
}

const missingToken = {
  ok: false,
  code: 'unauthorized',
  message: 'Please log in to go on.',
  status: 401,
  body: null,
} as const

const unreachable = {
  ok: false,
  code: 'offline',
  message: 'We cannot reach the server. Check your connection and try again.',
  status: 0,
  body: null,
} as const
