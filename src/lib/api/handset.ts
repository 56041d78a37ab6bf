import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { voiceRoute } from './token.ts'

export const answeredNumber = z.object({
  /** E.164 with the plus. */
  number: z.string(),
  isoCode: z.string(),
  does: z.string(),
  /** `script`: played by the exchange; `handset`: a handset in a browser tab. */
  kind: z.enum(['script', 'handset']),
})
export type AnsweredNumber = z.output<typeof answeredNumber>

/** Test numbers of the local exchange and all claimed handsets. Local stand-in only. */
export const answeredNumbers = endpoint({
  method: 'GET',
  path: '/dev/handset.json',
  auth: 'none',
  status: 200,
  reply: z.object({ numbers: z.array(answeredNumber) }),
  errors: {},
})

/** Sent with its earlier token, renews the claim. A claim lives as long as its signalling socket. Local only. */
export const claimNumber = endpoint({
  method: 'POST',
  path: '/dev/handset/claims',
  auth: 'none',
  status: 200,
  body: z.object({
    /** Any format, with the country code. */
    number: z.string().check(z.maxLength(40)),
    /** `busy`: callers hear the busy tone and nothing rings. */
    whenCalled: z.enum(['ring', 'busy']),
    token: z.optional(z.string().check(z.maxLength(2048))),
  }),
  reply: z.object({ token: z.string(), ttlSeconds: z.number(), route: voiceRoute, number: z.string() }),
  errors: { invalid_number: 400, number_taken: 409 },
})
