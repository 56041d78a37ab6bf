import { type CommonErrorCode, commonErrors, type Endpoint } from '#lib/api/endpoint.ts'
import type { ErrorBody } from '#lib/api/errors.ts'
import { minuteMs } from '#lib/time.ts'

/** An expected failure of a request, thrown by a handler and answered by the one error handler. */
export class RequestFailure extends Error {
  readonly code: string
  readonly status: number
  /** Additional fields beside `error` (PD-44). */
  readonly extra: Omit<ErrorBody, 'error'>
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: string,
    status: number,
    message: string,
    extra: Omit<ErrorBody, 'error'> = {},
    retryAfterSeconds?: number,
  ) {
    super(message)
    this.name = 'RequestFailure'
    this.code = code
    this.status = status
    this.extra = extra
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A failure named by the contract. @param waitMs until a retry may succeed; for every 429 */
export function failed<E extends Endpoint>(
  endpoint: E,
  code: keyof E['errors'] & string,
  message: string,
  extra: Omit<ErrorBody, 'error'> = {},
  waitMs?: number,
): RequestFailure {
  const status = endpoint.errors[code]
  if (status === undefined) throw new Error(`the contract of ${endpoint.path} has no failure ${code}`)
  return new RequestFailure(
    code,
    status,
    message,
    extra,
    waitMs === undefined ? undefined : inSeconds(waitMs),
  )
}

const commonMessages: Readonly<Record<CommonErrorCode, string>> = {
  invalid_request: "Something in the request isn't right. Check it and try again.",
  unauthorized: 'Please log in again.',
  forbidden_origin: 'This request came from another site and was refused.',
  not_found: "There's nothing here.",
  too_large: 'That is too much at once.',
  too_many_requests: 'That was too much at once. Wait a little and try again.',
  internal: 'Something went wrong. Please try again.',
  unavailable: 'We are busy right now. Please try again in a moment.',
}

/** A request with one invalid field. @param message shown beside the field */
export function invalidField(field: string, message: string): RequestFailure {
  const { code, status } = commonFailure('invalid_request')
  return new RequestFailure(code, status, message, { errors: [{ field, message }] })
}

/** Gives the wait in the message and in `Retry-After`. @param waitMs until the next request is allowed */
export function tooManyRequests(waitMs: number, what = 'That was too much at once.'): RequestFailure {
  const message = `${what} Wait ${waitText(waitMs)} and try again.`
  const { code, status } = commonFailure('too_many_requests')
  return new RequestFailure(code, status, message, {}, inSeconds(waitMs))
}

function inSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}

function waitText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / minuteMs))
  if (minutes === 1) return 'a minute'
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

export function commonFailure(code: CommonErrorCode, message = commonMessages[code]): RequestFailure {
  return new RequestFailure(code, commonErrors[code], message)
}
