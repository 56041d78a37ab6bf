import { setTimeout as pause } from 'node:timers/promises'
import Stripe from 'stripe'
import { failure, type Result, success } from '#lib/result.ts'
import type { Log } from '../../http/log.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'
import type { ProviderTrouble } from '../port.ts'

/** Timeouts and retries of requests to Stripe, in milliseconds. */
export interface RetryPolicy {
  readonly attemptMs: number
  /** Timeout of all attempts and pauses together; no attempt begins later. */
  readonly wholeMs: number
  /** The first pause; each later one doubles. Up to half is random jitter. */
  readonly pauseMs: number
}

export const defaultRetryPolicy: RetryPolicy = { attemptMs: 10_000, wholeMs: 25_000, pauseMs: 500 }

/** Shorter, for requests while Stripe waits for our answer to an event: it redelivers if that takes long. */
export const eventRetryPolicy: RetryPolicy = { attemptMs: 4_000, wholeMs: 8_000, pauseMs: 250 }

const maxAttempts = 4

export type StripeError = InstanceType<typeof Stripe.errors.StripeError>

/** A request that Stripe unexpectedly rejected: a bug of ours. Carries nothing of the request. */
class StripeFault extends Error {
  readonly code: string | undefined
  constructor(what: string, error: StripeError) {
    const { type, code, param, requestId } = error
    super(`${what}: ${type} (code ${code ?? 'none'}, parameter ${param ?? 'none'}, request ${requestId})`)
    this.name = 'StripeFault'
    this.code = code
  }
}

/**
 * Sends a request, and retries it while Stripe is unreachable, overloaded or rate-limiting. Each attempt is identical:
 * what creates something must have an idempotency key.
 * @param what for the log
 * @param rejectionOf maps an expected error to a code; undefined for any other
 * @throws StripeFault for an unexpected rejection
 */
export type Ask = <Value, Code extends string = never>(
  what: string,
  request: (options: { readonly timeout: number }) => Promise<Value>,
  rejectionOf?: (error: StripeError) => Code | undefined,
) => Promise<Result<Value, Code | ProviderTrouble>>

export function createAsk(tools: {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly retryPolicy: RetryPolicy
}): Ask {
  const { clock, log, retryPolicy: patience } = tools
  const chance = () => (tools.random.bytes(1)[0] ?? 0) / 255
  return async (what, request, rejectionOf) => {
    const startedMs = clock.monotonicMs()
    const leftMs = () => patience.wholeMs - (clock.monotonicMs() - startedMs)
    for (let attempt = 1; ; attempt++) {
      try {
        return success(await request({ timeout: Math.ceil(Math.min(patience.attemptMs, leftMs())) }))
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error
        const rejection = rejectionOf?.(error)
        if (rejection !== undefined) return failure(rejection)
        if (!isTrouble(error)) throw new StripeFault(what, error)

        // Log neither the error nor its message: they contain the request and a part of the key.
        const { type, code, statusCode: status, requestId } = error
        const pauseMs = patience.pauseMs * 2 ** (attempt - 1) * (1 - chance() / 2)
        if (attempt === maxAttempts || !helpsAgain(error) || leftMs() <= pauseMs) {
          log.error({ what, attempt, type, code, status, requestId }, 'a Stripe request failed')
          return failure('provider_unavailable')
        }
        log.warn({ what, attempt, type, code, status, requestId }, 'a Stripe request is repeated')
        await pause(pauseMs)
      }
    }
  }
}

/** Errors that the request did not cause. A rejected key is for the operator to fix. */
function isTrouble(error: StripeError): boolean {
  return (
    isKeyRefused(error) ||
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    // 5xx, and 409: another request with the same key is in progress.
    error instanceof Stripe.errors.StripeAPIError
  )
}

function isKeyRefused(error: StripeError): boolean {
  return (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  )
}

/** Whether a retry may help; Stripe sets a header if it knows. */
function helpsAgain(error: StripeError): boolean {
  const shouldRetry = error.headers?.['stripe-should-retry']
  return shouldRetry === undefined ? !isKeyRefused(error) : shouldRetry === 'true'
}

/** Rejected for its parameters, and not because its idempotency key was used for another request. */
export function isRefused(error: StripeError): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

export function isMissing(error: StripeError, parameter?: string): boolean {
  return (
    isRefused(error) &&
    error.code === 'resource_missing' &&
    (parameter === undefined || error.param === parameter)
  )
}
