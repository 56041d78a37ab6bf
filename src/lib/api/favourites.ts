import * as z from 'zod/mini'
import { contact } from './contacts.ts'
import { endpoint } from './endpoint.ts'

/** Makes one contact of this user's a favourite, or takes it off them. Asked again it changes nothing. */
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
