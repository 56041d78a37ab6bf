import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const site = endpoint({
  method: 'GET',
  path: '/api/site',
  auth: 'none',
  status: 200,
  reply: z.object({
    /** E-mails go to the local inbox at `/dev/inbox` instead of a mail server. */
    localInbox: z.boolean(),
    /** Review site, opened in a new tab; null if none. */
    reviewUrl: z.nullable(z.string()),
    google: z.boolean(),
  }),
  errors: {},
})
