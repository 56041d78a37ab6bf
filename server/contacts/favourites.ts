import type { Contact } from '#lib/api/contacts.ts'
import { anyCaseUuidPattern } from '#lib/uuid.ts'
import type { Db } from '../db/port.ts'
import { type ContactRow, contactColumns, contactOf, countFavourites, lockContacts } from './contact-rows.ts'
import { contactAnswers } from './contact-texts.ts'

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
    await lockContacts(tx, userId)
    if (favourite && (await countFavourites(tx, userId, contactId)) >= maxFavourites) {
      const message = contactAnswers.favouritesFull({ max: String(maxFavourites) })
      return { ok: false, code: 'too_many_favourites', message }
    }
    const [row] = await tx.query<ContactRow>(
      `update contact set favourite = $3 where id = $1 and user_id = $2 returning ${contactColumns}`,
      [contactId, userId, favourite],
    )
    return row === undefined ? { ok: false, code: 'not_found' } : { ok: true, contact: contactOf(row) }
  })
}
