import * as z from 'zod/mini'
import { maxContactName } from '../rules/contacts.ts'
import { extensionShape } from '../rules/extension.ts'
import { cleanName } from '../rules/names.ts'
import { endpoint } from './endpoint.ts'

/** A saved number, with the specification's field names (section 3). */
export const contact = z.object({
  id: z.string(),
  name: z.string(),
  /** E.164 with the plus. */
  phone_number: z.string(),
  /** Of the country that the number is in, with the plus. */
  dial_code: z.string(),
  /** ISO 3166-1 alpha-2, upper case. */
  iso_code: z.string(),
  /** Wanted at hand beside the phone; by `src/lib/api/favourites.ts`. */
  favourite: z.boolean(),
  /** What is played once it answers, `,,123#`; left out where nothing is. */
  extension: z.optional(z.string()),
})
export type Contact = z.output<typeof contact>

/** This user's contacts, all of them, by name. */
export const contacts = endpoint({
  method: 'GET',
  path: '/api/contacts',
  auth: 'bearer',
  status: 200,
  reply: z.array(contact),
  errors: {},
})

const contactName = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(1, 'Enter a name for this contact.'),
    z.maxLength(maxContactName, `Use at most ${maxContactName} characters for the name.`),
  )

/**
 * Saves a number under a name. The number decides which country it is in, whatever is sent beside it; sent
 * again with the same name, as after an answer that was lost, it is the same contact, with the extension that
 * came last. Each refusal has the same message in `errors` (specification section 7).
 */
export const saveContact = endpoint({
  method: 'POST',
  path: '/api/contacts',
  auth: 'bearer',
  body: z.object({
    name: contactName,
    /** In E.164, or as it is dialled within the country named beside it. */
    phone_number: z.string().check(z.maxLength(32, 'This number is too long. Check it and try again.')),
    dial_code: z.string().check(z.regex(/^\+\d{1,4}$/, 'The dial code needs a plus and one to four digits.')),
    iso_code: z.string().check(z.regex(/^[A-Z]{2}$/, 'The country code needs two capital letters.')),
    extension: z.optional(
      z.string().check(z.regex(extensionShape, 'The extension takes digits, *, # and commas, at most 40.')),
    ),
  }),
  status: 201,
  reply: contact,
  errors: { number_refused: 400, already_saved: 400, too_many_contacts: 400 },
})

/** Deletes one contact of this user's. */
export const deleteContact = endpoint({
  method: 'DELETE',
  path: '/api/contacts/:id',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  status: 204,
  reply: z.undefined(),
  errors: {},
})
