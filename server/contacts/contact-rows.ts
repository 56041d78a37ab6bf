import type { Contact } from '#lib/api/contacts.ts'
import type { Db } from '../db/port.ts'

export const contactColumns = 'id, name, phone_number, dial_code, iso_code, favourite, extension, notes'

export type ContactRow = Omit<Contact, 'extension' | 'notes'> & {
  readonly extension: string | null
  readonly notes: string | null
}

export function contactOf({ extension, notes, ...contact }: ContactRow): Contact {
  return { ...contact, ...(extension !== null && { extension }), ...(notes !== null && { notes }) }
}

/** Two concurrent requests would both find room for the last contact or the last favourite. */
export async function lockContacts(tx: Db, userId: string): Promise<void> {
  await tx.query('select id from app_user where id = $1 for update', [userId])
}

export interface WantedContact {
  readonly name: string
  readonly notes?: string | undefined
  readonly extension?: string | undefined
  readonly favourite: boolean
}

interface Numbered {
  readonly e164: string
  readonly dialCode: string
  readonly isoCode: string
}

export async function insertContact(
  tx: Db,
  of: { readonly id: string; readonly userId: string; readonly at: Date },
  number: Numbered,
  { name, extension, notes, favourite }: WantedContact,
): Promise<Contact> {
  const [row] = await tx.query<ContactRow>(
    `insert into contact
       (id, user_id, name, phone_number, dial_code, iso_code, extension, notes, favourite, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${contactColumns}`,
    [
      of.id,
      of.userId,
      name,
      number.e164,
      number.dialCode,
      number.isoCode,
      extension || null,
      notes || null,
      favourite,
      of.at,
    ],
  )
  if (row === undefined) throw new Error('a contact was not written')
  return contactOf(row)
}

export async function countContacts(db: Db, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from contact where user_id = $1',
    [userId],
  )
  return row?.count ?? 0
}

/** @param besides the id of a contact that does not count; null: all count */
export async function countFavourites(db: Db, userId: string, besides: string | null): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from contact where user_id = $1 and favourite and ($2::uuid is null or id <> $2)',
    [userId, besides],
  )
  return row?.count ?? 0
}
