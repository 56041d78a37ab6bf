import type { FastifyInstance, FastifyReply } from 'fastify'
import type { CommonErrorCode } from '#lib/api/endpoint.ts'
import type { ErrorBody } from '#lib/api/errors.ts'
import { DatabaseUnavailable } from '../db/port.ts'
import { inLanguage, languageOf } from '../languages/languages.ts'
import { commonFailure, RequestFailure } from './failure.ts'

/** Answers an unreadable address. No hook has run, so the security headers are set here. */
export function answerUnreadable(reply: FastifyReply): void {
  const { status, code, message } = commonFailure('invalid_request')
  void reply
    .code(status)
    .header('content-security-policy', "default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .send({ error: { code, message } } satisfies ErrorBody)
}

/** Long enough for a database that restarts, short enough to wait for. */
const unavailableSeconds = 2

/** Turns failed requests into answers. Bugs are logged; expected failures are not. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const failure =
      error instanceof RequestFailure ? error : inLanguage(languageOf(request), () => asFailure(error))
    const databaseAway = error instanceof DatabaseUnavailable
    if (failure.code === 'internal' || databaseAway) request.log.error({ err: error }, 'request failed')
    const waitSeconds = databaseAway ? unavailableSeconds : failure.retryAfterSeconds
    if (waitSeconds !== undefined) reply.header('retry-after', waitSeconds)
    const body: ErrorBody = { error: { code: failure.code, message: failure.message }, ...failure.extra }
    return reply.code(failure.status).send(body)
  })
}

/** Failures raised by Fastify and its plugins, by status. */
function asFailure(error: unknown): RequestFailure {
  if (error instanceof DatabaseUnavailable) return commonFailure('unavailable')
  const status = (error as { statusCode?: number }).statusCode ?? 500
  const codes: Readonly<Record<number, CommonErrorCode>> = {
    404: 'not_found',
    413: 'too_large',
    429: 'too_many_requests',
    503: 'unavailable',
  }
  return commonFailure(codes[status] ?? (status >= 400 && status < 500 ? 'invalid_request' : 'internal'))
}
