import * as z from 'zod/mini'
import { contact } from './contacts.ts'
import { endpoint } from './endpoint.ts'

/** Sets or unsets a contact as favourite. Idempotent. */
export const markFavourite = endpoint({
  method: 'PUT',
  path: '/api/contacts/:id/favourite',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  body: z.object({ favourite: z.boolean() }),
  status: 200,
  reply: contact,
  errors: { too_many_favourites: 400 },
})
