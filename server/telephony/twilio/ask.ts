import twilio from 'twilio'

/** An unexpected rejection: a bug of ours. Carries nothing of the request. */
class TwilioFault extends Error {
  override readonly name = 'TwilioFault'
  readonly code: number | undefined
  constructor(what: string, status: number | undefined, code: number | undefined) {
    super(`${what}: refused with ${status ?? 'no status'} (code ${code ?? 'none'})`)
    this.code = code
  }
}

export const rejections = {
  unknown: 20404,
  over: 21220,
  alreadyVerified: 21450,
  /** Not a telephone number, as the vendor's several checks report it. */
  invalidTo: 21211,
  notANumber: 21217,
  invalidNumber: 21401,
  /** A telephone number that the vendor does not call: no route, a country not allowed, or on its block list. */
  noRoute: 21214,
  countryNotAllowed: 21215,
  blocked: 21216,
} as const

/** @returns the answer, or an expected rejection's name @throws TwilioFault for any other, TwilioUnavailable */
export async function ask<Value, Expected extends keyof typeof rejections = never>(
  what: string,
  request: () => Promise<Value>,
  ...expected: readonly Expected[]
): Promise<{ readonly value: Value } | Expected> {
  try {
    return { value: await request() }
  } catch (error) {
    if (!(error instanceof twilio.RestException)) throw error
    const { code, status } = error
    const rejection = expected.find(name => rejections[name] === code)
    if (rejection !== undefined) return rejection
    throw new TwilioFault(what, status, code)
  }
}
