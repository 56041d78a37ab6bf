import type { Contact, saveContact as saveContract } from '#lib/api/contacts.ts'
import type { RequestOutput } from '#lib/api/endpoint.ts'
import { sortByName } from '#lib/rules/contacts.ts'
import { entryOfNumber } from '#lib/rules/countries.ts'
import { parseNumber, verdictMessage } from '#lib/rules/phone.ts'
import type { Db } from '../db/port.ts'
import type { Services } from './context.ts'

/** More than an address book holds, few enough to list and search at once. */
export const maxContacts = 500

export type NewContact = RequestOutput<typeof saveContract>['body']

export type Saved =
  | { readonly ok: true; readonly contact: Contact }
  | {
      readonly ok: false
      readonly code: 'number_refused' | 'already_saved' | 'too_many_contacts'
      /** Fit to be shown. */
      readonly message: string
    }

const columns = 'id, name, phone_number, dial_code, iso_code'

/** A user's contacts by name. */
export async function listContacts(db: Db, userId: string): Promise<Contact[]> {
  return sortByName(await db.query<Contact>(`select ${columns} from contact where user_id = $1`, [userId]))
}

/**
 * Saves a number that we would call, once for each user. The same name and number again give the contact
 * that is there; another name is refused, so that none is lost without notice.
 */
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
    // Two requests at once would each find room for the last contact.
    await tx.query('select id from app_user where id = $1 for update', [userId])
    const known = await findByNumber(tx, userId, e164)
    if (known !== undefined) return known.name === wanted.name ? saved(known) : alreadySaved(known)
    if ((await countContacts(tx, userId)) >= maxContacts) return full
    const rows = await tx.query<Contact>(
      `insert into contact (id, user_id, name, phone_number, dial_code, iso_code, created_at)
       values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
      [random.uuid(), userId, wanted.name, e164, dialCode, isoCode, clock.now()],
    )
    const [contact] = rows
    if (contact === undefined) throw new Error('a contact was not written')
    return saved(contact)
  })
}

/** Whether there was such a contact of this user's; somebody else's is not found (reliability row 39). */
export async function deleteContact(db: Db, userId: string, contactId: string): Promise<boolean> {
  if (!uuidPattern.test(contactId)) return false
  const rows = await db.query('delete from contact where id = $1 and user_id = $2 returning id', [
    contactId,
    userId,
  ])
  return rows.length > 0
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function saved(contact: Contact): Saved {
  return { ok: true, contact }
}

/** The name is kept apart from the sentence, whichever way it is written. */
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
  const [row] = await db.query<Contact>(
    `select ${columns} from contact where user_id = $1 and phone_number = $2`,
    [userId, e164],
  )
  return row
}

async function countContacts(db: Db, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from contact where user_id = $1',
    [userId],
  )
  return row?.count ?? 0
}
