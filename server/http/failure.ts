import { type CommonErrorCode, commonErrors, type Endpoint } from '#lib/api/endpoint.ts'
import type { ErrorBody } from '#lib/api/errors.ts'

/** An expected failure of a request, thrown by a handler and answered by the one error handler. */
export class RequestFailure extends Error {
  readonly code: string
  readonly status: number
  /** The specification's own fields beside `error`. */
  readonly extra: Omit<ErrorBody, 'error'>

  constructor(code: string, status: number, message: string, extra: Omit<ErrorBody, 'error'> = {}) {
    super(message)
    this.name = 'RequestFailure'
    this.code = code
    this.status = status
    this.extra = extra
  }
}

/** A failure that the endpoint's contract names. */
export function failed<E extends Endpoint>(
  endpoint: E,
  code: keyof E['errors'] & string,
  message: string,
  extra: Omit<ErrorBody, 'error'> = {},
): RequestFailure {
  const status = endpoint.errors[code]
  if (status === undefined) throw new Error(`the contract of ${endpoint.path} has no failure ${code}`)
  return new RequestFailure(code, status, message, extra)
}

const commonMessages: Readonly<Record<CommonErrorCode, string>> = {
  invalid_request: 'Something in the request is not right. Check it and try again.',
  unauthorized: 'Please log in again.',
  forbidden_origin: 'This request came from another site and was refused.',
  not_found: 'There is nothing here.',
  too_large: 'That is too much at once.',
  too_many_requests: 'Too many attempts. Wait a minute and try again.',
  internal: 'Something went wrong. Please try again.',
  unavailable: 'We are busy for a moment. Please try again.',
}

export function commonFailure(code: CommonErrorCode, message = commonMessages[code]): RequestFailure {
  return new RequestFailure(code, commonErrors[code], message)
}
