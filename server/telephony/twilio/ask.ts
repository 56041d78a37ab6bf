import twilio from 'twilio'

/** A request that the vendor refused and that should not have been made so: a bug. Carries nothing of the request. */
class TwilioFault extends Error {
  override readonly name = 'TwilioFault'
  readonly code: number | undefined
  constructor(what: string, status: number | undefined, code: number | undefined) {
    super(`${what}: refused with ${status ?? 'no status'} (code ${code ?? 'none'})`)
    this.code = code
  }
}

/** Refusals of the vendor's that are answers to us, by its numbers. */
export const refusals = {
  /** The resource is not there (any more). */
  unknown: 20404,
  /** The call is over, so that nothing of it can be changed. */
  over: 21220,
  /** The number is verified for this account already. */
  alreadyVerified: 21450,
  /** What is to be rung is no telephone number: as the vendor's several checks say it. */
  invalidTo: 21211,
  notANumber: 21217,
  invalidNumber: 21401,
  /** It is one, and the vendor does not call it: no route, a country that is not allowed, or one on its own list. */
  noRoute: 21214,
  countryNotAllowed: 21215,
  blocked: 21216,
} as const

/**
 * Makes a request, and turns refusals that are expected here into values.
 * @returns the answer, or the name of the refusal
 * @throws TwilioFault for any other refusal, TwilioUnavailable
 */
export async function ask<Value, Expected extends keyof typeof refusals = never>(
  what: string,
  request: () => Promise<Value>,
  ...expected: readonly Expected[]
): Promise<{ readonly value: Value } | Expected> {
  try {
    return { value: await request() }
  } catch (error) {
    if (!(error instanceof twilio.RestException)) throw error
    const { code, status } = error
    const refusal = expected.find(name => refusals[name] === code)
    if (refusal !== undefined) return refusal
    throw new TwilioFault(what, status, code)
  }
}
