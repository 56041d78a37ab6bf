import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** How long a first, free call to this destination lasts, in whole minutes; 0 means it is not eligible. */
const freeMinutes = z.number()

/** Rates of a country. USD per minute throughout; decision 15: `ourRate` is the ordinary mobile rate. */
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
  }),
  errors: { unsupported_destination: 404 },
})

/** The rate of one number, by longest prefix over E.164. */
export const numberRate = endpoint({
  method: 'GET',
  path: '/api/rates/number/:fullNumber',
  auth: 'none',
  params: z.object({ fullNumber: z.string().check(z.maxLength(40)) }),
  status: 200,
  reply: z.object({
    isoCode: z.string(),
    ourRate: z.number(),
    kind: z.enum(['landline', 'mobile', 'special']),
    freeMinutes,
    /** IANA name of the zone of its country, or of its area code; left out where several are kept there. */
    timeZone: z.optional(z.string()),
  }),
  errors: { unsupported_destination: 404 },
})
