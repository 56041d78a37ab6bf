import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Whole minutes of a free call to this destination; 0 means not eligible. */
const freeMinutes = z.number()

/** Rates of a country in USD per minute. `ourRate` is the ordinary mobile rate (PD-15). */
export const countryRate = endpoint({
  method: 'GET',
  path: '/api/rates/:isoCode',
  auth: 'none',
  params: z.object({ isoCode: z.string().check(z.maxLength(10)) }),
  status: 200,
  reply: z.object({
    isoCode: z.string(),
    ourRate: z.number(),
    landline: z.number(),
    from: z.number(),
    freeMinutes,
    /** Max surcharge of a caller ID, USD per minute; omitted if zero. */
    maxSurcharge: z.optional(z.number()),
  }),
  errors: { unsupported_destination: 404 },
})

/** The rate to one number, by longest prefix over E.164 and by caller ID. */
export const numberRate = endpoint({
  method: 'GET',
  path: '/api/rates/number/:fullNumber',
  auth: 'none',
  params: z.object({ fullNumber: z.string().check(z.maxLength(40)) }),
  /** Caller ID of the call, E.164; omitted: the public number. */
  query: z.object({ from: z.optional(z.string().check(z.regex(/^\+[1-9]\d{6,14}$/))) }),
  status: 200,
  reply: z.object({
    isoCode: z.string(),
    ourRate: z.number(),
    kind: z.enum(['landline', 'mobile', 'special']),
    /** The caller ID's share of `ourRate`; omitted if zero. */
    surcharge: z.optional(z.number()),
    freeMinutes,
    /** IANA zone of the number's country or area code; omitted if ambiguous. */
    timeZone: z.optional(z.string()),
  }),
  errors: { unsupported_destination: 404 },
})
