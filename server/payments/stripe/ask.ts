import { setTimeout as pause } from 'node:timers/promises'
import Stripe from 'stripe'
import { failure, type Result, success } from '#lib/result.ts'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../http/log.ts'
import type { Random } from '../../random.ts'
import type { ProviderTrouble } from '../port.ts'

/** How long Stripe is waited for, in milliseconds. */
export interface Patience {
  /** One attempt, without a sign of life. */
  readonly attemptMs: number
  /** All attempts and the pauses between them; no attempt begins later. */
  readonly wholeMs: number
  /** The first pause; each further one is twice as long. Up to half of it is left to chance. */
  readonly pauseMs: number
}

export const defaultPatience: Patience = { attemptMs: 10_000, wholeMs: 25_000, pauseMs: 500 }

/** While Stripe itself waits for our answer to an event: it delivers again what takes long. */
export const eventPatience: Patience = { attemptMs: 4_000, wholeMs: 8_000, pauseMs: 250 }

/** Attempts at one request. */
const mostAttempts = 4

export type StripeError = InstanceType<typeof Stripe.errors.StripeError>

/** A request that Stripe refused and that should not have been made so: a bug. Carries nothing of the request. */
class StripeFault extends Error {
  readonly code: string | undefined
  constructor(what: string, error: StripeError) {
    const { type, code, param, requestId } = error
    super(`${what}: ${type} (code ${code ?? 'none'}, parameter ${param ?? 'none'}, request ${requestId})`)
    this.name = 'StripeFault'
    this.code = code
  }
}

/** What every attempt at a request is made with. */
interface AttemptOptions {
  readonly timeout: number
}

/**
 * Makes a request of Stripe's, again after a pause when it was not reached, overloaded or over its limits. The same
 * request each time: one that makes something brings its idempotency key.
 * @param what for the log
 * @param refusalOf the code for an error that is expected here; undefined for any other
 * @throws StripeFault for a refusal that nobody expected
 */
export type Ask = <Value, Code extends string = never>(
  what: string,
  request: (options: AttemptOptions) => Promise<Value>,
  refusalOf?: (error: StripeError) => Code | undefined,
) => Promise<Result<Value, Code | ProviderTrouble>>

export function createAsk(tools: {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly patience: Patience
}): Ask {
  const { clock, log, patience } = tools
  const chance = () => (tools.random.bytes(1)[0] ?? 0) / 255
  return async (what, request, refusalOf) => {
    const startedMs = clock.monotonicMs()
    const leftMs = () => patience.wholeMs - (clock.monotonicMs() - startedMs)
    for (let attempt = 1; ; attempt++) {
      try {
        return success(await request({ timeout: Math.ceil(Math.min(patience.attemptMs, leftMs())) }))
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error
        const refusal = refusalOf?.(error)
        if (refusal !== undefined) return failure(refusal)
        if (!isTrouble(error)) throw new StripeFault(what, error)

        // Never the error itself or its message: they hold what was asked, and a part of the key.
        const { type, code, statusCode: status, requestId } = error
        const pauseMs = patience.pauseMs * 2 ** (attempt - 1) * (1 - chance() / 2)
        if (attempt === mostAttempts || !helpsAgain(error) || leftMs() <= pauseMs) {
          log.error({ what, attempt, type, code, status, requestId }, 'stripe did not do it')
          return failure('provider_unavailable')
        }
        log.warn({ what, attempt, type, code, status, requestId }, 'stripe is asked again')
        await pause(pauseMs)
      }
    }
  }
}

/** Nothing that the request did wrong. A key that is not accepted is the operator's to mend. */
function isTrouble(error: StripeError): boolean {
  return (
    isKeyRefused(error) ||
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    // 5xx, and 409: the same key is being worked on at this moment.
    error instanceof Stripe.errors.StripeAPIError
  )
}

function isKeyRefused(error: StripeError): boolean {
  return (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  )
}

/** Stripe says by a header where it knows. */
function helpsAgain(error: StripeError): boolean {
  const told = error.headers?.['stripe-should-retry']
  return told === undefined ? !isKeyRefused(error) : told === 'true'
}
