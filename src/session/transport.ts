import * as z from 'zod/mini'
import {
  type CommonErrorCode,
  commonErrors,
  type Endpoint,
  type ErrorCode,
  type Reply,
  type RequestInput,
} from '#lib/api/endpoint.ts'
import { type ErrorBody, errorBody } from '#lib/api/errors.ts'
import { currentLanguage } from '#lib/i18n/language.ts'
import { texts } from './texts.ts'

/** Failures without a server's answer (`status` 0) or with one outside the contract. */
export type TransportCode = 'offline' | 'timeout' | 'aborted' | 'unexpected_reply'

export interface ApiFailure<Code extends string> {
  readonly ok: false
  readonly code: Code
  readonly message: string
  /** 0 without an answer. */
  readonly status: number
  /** The server's error body (PD-44); null if it sent none. */
  readonly body: ErrorBody | null
  /** The server's `Retry-After`, in ms; missing if it sent none. */
  readonly retryAfterMs?: number
}

export type ApiResult<E extends Endpoint> =
  | { readonly ok: true; readonly value: Reply<E> }
  | ApiFailure<ErrorCode<E> | TransportCode>

export interface RequestOptions {
  /** For the whole answer, in ms. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly keepalive?: boolean
}

const defaultTimeoutMs = 15_000

interface LooseInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

/** The path of a request: fills in and escapes each `:name` (`+` as `%2B`); omits undefined query fields. */
export function buildPath(path: string, { params = {}, query = {} }: LooseInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`no value for :${name} of ${path}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, `${value}`)
  return search.size > 0 ? `${filled}?${search}` : filled
}

export function transportFailure(code: TransportCode, status = 0): ApiFailure<TransportCode> {
  return { ok: false, code, message: texts[code], status, body: null }
}

function thrownFailure(thrown: unknown): ApiFailure<TransportCode> {
  const name = thrown instanceof Error || thrown instanceof DOMException ? thrown.name : ''
  if (name === 'TimeoutError') return transportFailure('timeout')
  return transportFailure(name === 'AbortError' ? 'aborted' : 'offline')
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function codeOfStatus(status: number): CommonErrorCode | 'unexpected_reply' {
  for (const code of Object.keys(commonErrors) as CommonErrorCode[])
    if (commonErrors[code] === status) return code
  return status >= 500 ? 'unavailable' : 'unexpected_reply'
}

/** Only the form in whole seconds, which our server sends. */
function readRetryAfter(headers: Headers): { retryAfterMs?: number } {
  const seconds = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(seconds) ? { retryAfterMs: Number(seconds) * 1000 } : {}
}

/** Maps an error to the contract. An unknown code is replaced by one for its status. */
function rejection<E extends Endpoint>(
  endpoint: E,
  { status, headers }: Response,
  json: unknown,
): ApiResult<E> {
  const parsed = z.safeParse(errorBody, json)
  const body = parsed.success ? parsed.data : null
  const named = body?.error.code ?? ''
  const known = Object.hasOwn(endpoint.errors, named) || Object.hasOwn(commonErrors, named)
  const code = (known ? named : codeOfStatus(status)) as ErrorCode<E> | TransportCode
  const message = body?.error.message ?? texts.unexpected_reply
  return { ok: false, code, message, status, body, ...readRetryAfter(headers) }
}

/** Sends one request of the contract and parses the answer. Never throws: whatever fails is returned as a failure. */
export async function request<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
  options: RequestOptions & { readonly token?: string | null } = {},
): Promise<ApiResult<E>> {
  const loose = input as LooseInput
  const headers = new Headers({ accept: 'application/json', 'accept-language': currentLanguage() })
  if (loose.body !== undefined) headers.set('content-type', 'application/json')
  if (options.token) headers.set('authorization', `Bearer ${options.token}`)
  const timeout = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
  let response: Response
  let text: string
  try {
    response = await fetch(buildPath(endpoint.path, loose), {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      keepalive: options.keepalive ?? false,
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      ...(loose.body === undefined ? {} : { body: JSON.stringify(loose.body) }),
    })
    text = await response.text()
  } catch (thrown) {
    return thrownFailure(thrown)
  }
  const json = parseJson(text)
  if (!response.ok) return rejection(endpoint, response, json)
  const reply = z.safeParse(endpoint.reply, json)
  if (!reply.success) return transportFailure('unexpected_reply', response.status)
  return { ok: true, value: reply.data as Reply<E> }
}
