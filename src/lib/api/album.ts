import * as z from 'zod/mini'
import { instant } from './calls.ts'
import { endpoint } from './endpoint.ts'

/** A country that this user has reached. Test calls and unanswered calls do not count. */
const albumCountry = z.object({
  isoCode: z.string(),
  /** ISO 8601, UTC. */
  firstAnsweredAt: z.string(),
  calls: z.number(),
  /** Started minutes, free ones included. */
  minutes: z.number(),
  /** USD per minute to mobiles today; null if the tariff no longer has the country. */
  ratePerMinute: z.nullable(z.number()),
})
export type AlbumCountry = z.output<typeof albumCountry>

/** Newest country first. `from` is the start of the year in the reader's time zone; by default, that of UTC. */
export const album = endpoint({
  method: 'GET',
  path: '/api/protected/album',
  auth: 'bearer',
  query: z.object({ from: z.optional(instant) }),
  status: 200,
  reply: z.object({
    countries: z.array(albumCountry),
    /** Calls placed since `from`. */
    year: z.object({
      countries: z.number(),
      /** Started minutes, free ones included. */
      minutes: z.number(),
      /** USD, exact to the micro-dollar, less refunds of bad calls. */
      spent: z.number(),
    }),
  }),
  errors: {},
})
export type Album = z.output<typeof album.reply>
