import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { voiceRoute } from './token.ts'

/** One number that the local exchange answers. */
export const answeredNumber = z.object({
  /** E.164 with the plus. */
  number: z.string(),
  isoCode: z.string(),
  /** What happens there, in words. */
  does: z.string(),
  /** `script`: the exchange plays it by itself; `handset`: a telephone in somebody's tab. */
  kind: z.enum(['script', 'handset']),
})
export type AnsweredNumber = z.output<typeof answeredNumber>

/** What the local exchange answers now: its test numbers and every claimed telephone. Local stand-in only. */
export const answeredNumbers = endpoint({
  method: 'GET',
  path: '/dev/handset.json',
  auth: 'none',
  status: 200,
  reply: z.object({ numbers: z.array(answeredNumber) }),
  errors: {},
})

/**
 * Gives this tab's telephone a number, or renews its claim: sent again with the token it got, it keeps its
 * place and may change what it does. A claim lives as long as its signalling socket. Local stand-in only.
 */
export const claimNumber = endpoint({
  method: 'POST',
  path: '/dev/handset/claims',
  auth: 'none',
  status: 200,
  body: z.object({
    /** Any form that a person types, with the country's code. */
    number: z.string().check(z.maxLength(40)),
    /** `busy`: callers hear the busy signal and nothing rings. */
    whenCalled: z.enum(['ring', 'busy']),
    /** The token of an earlier claim by the same telephone. */
    token: z.optional(z.string().check(z.maxLength(2048))),
  }),
  reply: z.object({
    token: z.string(),
    /** Lifetime of the token in seconds. */
    ttlSeconds: z.number(),
    route: voiceRoute,
    /** The claimed number, E.164 with the plus. */
    number: z.string(),
  }),
  errors: { invalid_number: 400, number_taken: 409 },
})
