import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What pages must know of this installation that is not built into them. */
export const site = endpoint({
  method: 'GET',
  path: '/api/site',
  auth: 'none',
  status: 200,
  reply: z.object({
    /** Whether mails end in the local inbox at `/dev/inbox` instead of a mail server. */
    localInbox: z.boolean(),
    /** Where people may review us, opened in a new tab; null where there is no such site. */
    reviewUrl: z.nullable(z.string()),
    /** Whether people may sign in with Google. */
    google: z.boolean(),
  }),
  errors: {},
})
