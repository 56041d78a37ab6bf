import { sortByName } from '#lib/account/contacts.ts'
import type { Contact, saveContact as saveContract } from '#lib/api/contacts.ts'
import type { RequestOutput } from '#lib/api/endpoint.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { parseNumber, verdictMessage } from '#lib/numbers/phone.ts'
import { anyCaseUuidPattern } from '#lib/uuid.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'

/** More than an address book holds, and few enough to list and search at once. */
export const maxContacts = 500

export type NewContact = RequestOutput<typeof saveContract>['body']

export type Saved =
  | { readonly ok: true; readonly contact: Contact }
  | {
      readonly ok: false
      readonly code: 'number_refused' | 'already_saved' | 'too_many_contacts'
      readonly message: string
    }

const columns = 'id, name, phone_number, dial_code, iso_code, favourite, extension'

type ContactRow = Omit<Contact, 'extension'> & { readonly extension: string | null }

function contactOf({ extension, ...contact }: ContactRow): Contact {
  return extension === null ? contact : { ...contact, extension }
}

export async function listContacts(db: Db, userId: string): Promise<Contact[]> {
  const rows = await db.query<ContactRow>(`select ${columns} from contact where user_id = $1`, [userId])
  return sortByName(rows.map(contactOf))
}

/** Saving a number again updates its extension. Another name is rejected, so that neither is lost silently. */
export async function saveContact(services: Services, userId: string, wanted: NewContact): Promise<Saved> {
  const { db, clock, random } = services
  const verdict = parseNumber(wanted.phone_number, { isoCode: wanted.iso_code, dialCode: wanted.dial_code })
  if (verdict.kind !== 'ok') {
    const message = verdictMessage(verdict) ?? 'Enter a phone number.'
    return { ok: false, code: 'number_refused', message }
  }
  const { e164 } = verdict
  const { dialCode, isoCode } = entryOfNumber(e164, verdict.isoCode)
  return db.transaction(async tx => {
    // Locks: two concurrent requests would both find room for the last contact.
    await tx.query('select id from app_user where id = $1 for update', [userId])
    const known = await findByNumber(tx, userId, e164)
    if (known !== undefined && known.name !== wanted.name) return alreadySaved(known)
    if (known !== undefined) return saved(await extend(tx, known, wanted.extension))
    if ((await countContacts(tx, userId)) >= maxContacts) return full
    const rows = await tx.query<ContactRow>(
      `insert into contact (id, user_id, name, phone_number, dial_code, iso_code, extension, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
      [random.uuid(), userId, wanted.name, e164, dialCode, isoCode, wanted.extension || null, clock.now()],
    )
    const [row] = rows
    if (row === undefined) throw new Error('a contact was not written')
    return saved(contactOf(row))
  })
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

/** A sheet of stamps: two rows of four. */
export const maxFavourites = 8

export type Marked =
  | { readonly ok: true; readonly contact: Contact }
  | { readonly ok: false; readonly code: 'not_found' }
  | { readonly ok: false; readonly code: 'too_many_favourites'; readonly message: string }

/** Sets or clears a favourite; another user's contact is not found. */
export async function markFavourite(
  db: Db,
  userId: string,
  contactId: string,
  favourite: boolean,
): Promise<Marked> {
  if (!anyCaseUuidPattern.test(contactId)) return { ok: false, code: 'not_found' }
  return db.transaction(async tx => {
    // Locks: two concurrent requests would both find room for the last favourite.
    await tx.query('select id from app_user where id = $1 for update', [userId])
    if (favourite && (await countOtherFavourites(tx, userId, contactId)) >= maxFavourites) return fullSheet
    const [row] = await tx.query<ContactRow>(
      `update contact set favourite = $3 where id = $1 and user_id = $2 returning ${columns}`,
      [contactId, userId, favourite],
    )
    return row === undefined ? { ok: false, code: 'not_found' } : { ok: true, contact: contactOf(row) }
  })
}

const fullSheet: Marked = {
  ok: false,
  code: 'too_many_favourites',
  message: `You have ${maxFavourites} favourites, which is as many as fit. Take one away first.`,
}

async function countOtherFavourites(db: Db, userId: string, contactId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from contact where user_id = $1 and favourite and id <> $2',
    [userId, contactId],
  )
  return row?.count ?? 0
}

function saved(contact: Contact): Saved {
  return { ok: true, contact }
}

/** Isolates the name (U+2068, U+2069), which may be written in the other direction. */
function alreadySaved({ name }: Contact): Saved {
  const message = `This number is already saved as \u2068${name}\u2069.`
  return { ok: false, code: 'already_saved', message }
}

const full: Saved = {
  ok: false,
  code: 'too_many_contacts',
  message: `You have ${maxContacts} contacts, which is as many as fit. Delete one to save another.`,
}

async function findByNumber(db: Db, userId: string, e164: string): Promise<Contact | undefined> {
  const [row] = await db.query<ContactRow>(
    `select ${columns} from contact where user_id = $1 and phone_number = $2`,
    [userId, e164],
  )
  return row === undefined ? undefined : contactOf(row)
}

async function extend(db: Db, known: Contact, extension: string | undefined): Promise<Contact> {
  if (extension === undefined || extension === (known.extension ?? '')) return known
  const [row] = await db.query<ContactRow>(
    `update contact set extension = $2 where id = $1 returning ${columns}`,
    [known.id, extension || null],
  )
  if (row === undefined) throw new Error('a contact was not written')
  return contactOf(row)
}

async function countContacts(db: Db, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from contact where user_id = $1',
    [userId],
  )
  return row?.count ?? 0
}
