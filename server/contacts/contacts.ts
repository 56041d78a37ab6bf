import { sortByName } from '#lib/account/contacts.ts'
import type {
  Contact,
  changeContact as changeContract,
  saveContact as saveContract,
} from '#lib/api/contacts.ts'
import type { RequestOutput } from '#lib/api/endpoint.ts'
import { anyCaseUuidPattern } from '#lib/uuid.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import {
  type ContactRow,
  contactColumns,
  contactOf,
  countContacts,
  countFavourites,
  insertContact,
  lockContacts,
} from './contact-rows.ts'
import { contactAnswers } from './contact-texts.ts'
import { maxFavourites } from './favourites.ts'
import { readSavedNumber } from './saved-number.ts'

/** More than an address book holds, and few enough to list and search at once. */
export const maxContacts = 500

export type NewContact = RequestOutput<typeof saveContract>['body']
export type ContactChange = RequestOutput<typeof changeContract>['body']

export type Saved =
  | { readonly ok: true; readonly contact: Contact }
  | {
      readonly ok: false
      readonly code: 'number_refused' | 'already_saved' | 'too_many_contacts'
      readonly message: string
    }

export async function listContacts(db: Db, userId: string): Promise<Contact[]> {
  const rows = await db.query<ContactRow>(`select ${contactColumns} from contact where user_id = $1`, [
    userId,
  ])
  return sortByName(rows.map(contactOf))
}

/**
 * Saving a number again updates its extension and notes. Another name is rejected, so that neither is lost silently.
 * A favourite beyond the max is saved without its star.
 */
export async function saveContact(services: Services, userId: string, wanted: NewContact): Promise<Saved> {
  const { db, clock, random } = services
  const number = readSavedNumber(wanted.phone_number, {
    isoCode: wanted.iso_code,
    dialCode: wanted.dial_code,
  })
  if (!number.ok) return { ok: false, code: 'number_refused', message: number.message }
  return db.transaction(async tx => {
    await lockContacts(tx, userId)
    const known = await findByNumber(tx, userId, number.e164)
    if (known !== undefined && known.name !== wanted.name) return alreadySaved(known)
    if (known !== undefined) return saved(await extend(tx, known, wanted))
    if ((await countContacts(tx, userId)) >= maxContacts)
      return { ok: false, code: 'too_many_contacts', message: fullMessage() }
    const favourite = wanted.favourite === true && (await countFavourites(tx, userId, null)) < maxFavourites
    const of = { id: random.uuid(), userId, at: clock.now() }
    return saved(await insertContact(tx, of, number, { ...wanted, favourite }))
  })
}

/** @returns the changed contact; undefined if this user has no such contact (REL-39) */
export async function changeContact(
  db: Db,
  userId: string,
  contactId: string,
  { name, notes }: ContactChange,
): Promise<Contact | undefined> {
  if (!anyCaseUuidPattern.test(contactId)) return undefined
  const [row] = await db.query<ContactRow>(
    `update contact set name = coalesce($3, name), notes = case when $4::text is null then notes else nullif($4, '') end
     where id = $1 and user_id = $2 returning ${contactColumns}`,
    [contactId, userId, name ?? null, notes ?? null],
  )
  return row === undefined ? undefined : contactOf(row)
}

/** @returns whether this user had the contact; another user's is not found (REL-39) */
export async function deleteContact(db: Db, userId: string, contactId: string): Promise<boolean> {
  if (!anyCaseUuidPattern.test(contactId)) return false
  const rows = await db.query('delete from contact where id = $1 and user_id = $2 returning id', [
    contactId,
    userId,
  ])
  return rows.length > 0
}

function saved(contact: Contact): Saved {
  return { ok: true, contact }
}

function alreadySaved({ name }: Contact): Saved {
  return { ok: false, code: 'already_saved', message: contactAnswers.alreadySaved({ name }) }
}

export const fullMessage = () => contactAnswers.full({ max: String(maxContacts) })

async function findByNumber(db: Db, userId: string, e164: string): Promise<Contact | undefined> {
  const [row] = await db.query<ContactRow>(
    `select ${contactColumns} from contact where user_id = $1 and phone_number = $2`,
    [userId, e164],
  )
  return row === undefined ? undefined : contactOf(row)
}

async function extend(db: Db, known: Contact, { extension, notes }: NewContact): Promise<Contact> {
  const [row] = await db.query<ContactRow>(
    `update contact set extension = $2, notes = $3 where id = $1 returning ${contactColumns}`,
    [known.id, (extension ?? known.extension) || null, (notes ?? known.notes) || null],
  )
  if (row === undefined) throw new Error('a contact was not written')
  return contactOf(row)
}
