import { type CommonErrorCode, commonErrors, type Endpoint } from '#lib/api/endpoint.ts'
import type { ErrorBody } from '#lib/api/errors.ts'
import { minuteMs } from '#lib/time.ts'
import { answers } from './failure-texts.ts'

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

/** A request with one invalid field. @param message shown beside the field */
export function invalidField(field: string, message: string): RequestFailure {
  const { code, status } = commonFailure('invalid_request')
  return new RequestFailure(code, status, message, { errors: [{ field, message }] })
}

/** Gives the wait in the message and in `Retry-After`. @param waitMs until the next request is allowed */
export function tooManyRequests(waitMs: number, what = answers.tooMuch): RequestFailure {
  const message = `${what} ${waitText(waitMs)}`
  const { code, status } = commonFailure('too_many_requests')
  return new RequestFailure(code, status, message, {}, inSeconds(waitMs))
}

function inSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}

function waitText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / minuteMs))
  return minutes <= 90
    ? answers.waitMinutes({ minutes })
    : answers.waitHours({ hours: Math.ceil(minutes / 60) })
}

export function commonFailure(code: CommonErrorCode, message = answers[code]): RequestFailure {
  return new RequestFailure(code, commonErrors[code], message)
}
