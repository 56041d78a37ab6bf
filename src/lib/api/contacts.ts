import * as z from 'zod/mini'
import { maxContactName, maxContactNotes } from '../account/contacts.ts'
import { cleanName, cleanNotes } from '../account/names.ts'
import { extensionShape } from '../numbers/extension.ts'
import { contactFaults } from './contacts-texts.ts'
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
  /** Plain text of several lines; omitted if none. */
  notes: z.optional(z.string()),
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
    z.minLength(1, { error: () => contactFaults.nameless }),
    z.maxLength(maxContactName, { error: () => contactFaults.nameTooLong({ max: String(maxContactName) }) }),
  )

const contactNotes = z.string().check(
  z.overwrite(cleanNotes),
  z.maxLength(maxContactNotes, {
    error: () => contactFaults.notesTooLong({ max: String(maxContactNotes) }),
  }),
)

const contactExtension = z.string().check(z.regex(extensionShape, { error: () => contactFaults.extension }))

/**
 * The number determines the country, whatever is sent with it. A repeated request with the same name updates the same
 * contact's extension and notes. Each rejection repeats its message in `errors` (SPEC-7.11).
 */
export const saveContact = endpoint({
  method: 'POST',
  path: '/api/contacts',
  auth: 'bearer',
  body: z.object({
    name: contactName,
    /** E.164, or a national number of the country in `iso_code`. */
    phone_number: z.string().check(z.maxLength(32, { error: () => contactFaults.numberTooLong })),
    dial_code: z.string().check(z.regex(/^\+\d{1,4}$/, { error: () => contactFaults.dialCode })),
    iso_code: z.string().check(z.regex(/^[A-Z]{2}$/, { error: () => contactFaults.countryCode })),
    extension: z.optional(contactExtension),
    notes: z.optional(contactNotes),
    /** Saves it as a favourite if there is room for one more; brings a deleted contact back as it was (ADR-62). */
    favourite: z.optional(z.boolean()),
  }),
  status: 201,
  reply: contact,
  errors: { number_refused: 400, already_saved: 400, too_many_contacts: 400 },
})

/** Changes what is sent; empty notes remove them. */
export const changeContact = endpoint({
  method: 'PATCH',
  path: '/api/contacts/:id',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  body: z.object({ name: z.optional(contactName), notes: z.optional(contactNotes) }),
  status: 200,
  reply: contact,
  errors: {},
})

/** Max contacts of one import request; the longest 20 fit in a request's size. */
export const maxImported = 20

/** `already_saved`: under `name`, which the import leaves as it is. */
const importOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('saved'), contact }),
  z.object({ outcome: z.literal('already_saved'), name: z.string() }),
  z.object({ outcome: z.literal('number_refused'), message: z.string() }),
  z.object({ outcome: z.literal('too_many_contacts'), message: z.string() }),
])
export type ImportOutcome = z.output<typeof importOutcome>

/** Saves the contacts of an address book. A number that is saved already stays as it is, so a repeated request is harmless. */
export const importContacts = endpoint({
  method: 'POST',
  path: '/api/contacts/import',
  auth: 'bearer',
  body: z.object({
    contacts: z
      .array(
        z.object({
          name: contactName,
          /** E.164 with the plus. */
          phone_number: z
            .string()
            .check(z.regex(/^\+\d{3,15}$/, { error: () => contactFaults.internationalNumber })),
          extension: z.optional(contactExtension),
          notes: z.optional(contactNotes),
        }),
      )
      .check(
        z.minLength(1, { error: () => contactFaults.noContacts }),
        z.maxLength(maxImported, { error: () => contactFaults.manyContacts({ max: String(maxImported) }) }),
      ),
  }),
  status: 200,
  /** One for each contact, in the same order. */
  reply: z.object({ outcomes: z.array(importOutcome) }),
  errors: {},
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
