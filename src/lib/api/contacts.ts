import * as z from 'zod/mini'
import { maxContactName } from '../account/contacts.ts'
import { cleanName } from '../account/names.ts'
import { extensionShape } from '../numbers/extension.ts'
import { endpoint } from './endpoint.ts'

/** A saved number; field names of SPEC-3.6. */
export const contact = z.object({
  id: z.string(),
  name: z.string(),
  /** E.164 with the plus. */
  phone_number: z.string(),
  dial_code: z.string(),
  /** ISO 3166-1 alpha-2, upper case. */
  iso_code: z.string(),
  favourite: z.boolean(),
  /** Sent after the answer, `,,123#`; omitted if none. */
  extension: z.optional(z.string()),
})
export type Contact = z.output<typeof contact>

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
 * The number determines the country, whatever is sent with it. A repeated request with the same name updates the same
 * contact's extension. Each rejection repeats its message in `errors` (SPEC-7.11).
 */
export const saveContact = endpoint({
  method: 'POST',
  path: '/api/contacts',
  auth: 'bearer',
  body: z.object({
    name: contactName,
    /** E.164, or a national number of the country in `iso_code`. */
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

export const deleteContact = endpoint({
  method: 'DELETE',
  path: '/api/contacts/:id',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  status: 204,
  reply: z.undefined(),
  errors: {},
})
