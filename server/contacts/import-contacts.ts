import type { ImportOutcome, importContacts as importContract } from '#lib/api/contacts.ts'
import type { RequestOutput } from '#lib/api/endpoint.ts'
import { defaultCountry } from '#lib/numbers/countries.ts'
import type { Services } from '../context.ts'
import { countContacts, insertContact, lockContacts } from './contact-rows.ts'
import { fullMessage, maxContacts } from './contacts.ts'
import { readSavedNumber } from './saved-number.ts'

export type ImportedContacts = RequestOutput<typeof importContract>['body']['contacts']

/** Saves contacts in their order until there is no room. A saved number keeps its name. @returns an outcome for each */
export async function importContacts(
  { db, clock, random }: Services,
  userId: string,
  wanted: ImportedContacts,
): Promise<ImportOutcome[]> {
  const read = wanted.map(contact => ({
    contact,
    number: readSavedNumber(contact.phone_number, defaultCountry),
  }))
  return db.transaction(async tx => {
    await lockContacts(tx, userId)
    const rows = await tx.query<{ name: string; phone_number: string }>(
      'select name, phone_number from contact where user_id = $1 and phone_number = any($2)',
      [userId, read.flatMap(({ number }) => (number.ok ? number.e164 : []))],
    )
    const names = new Map(rows.map(({ name, phone_number }) => [phone_number, name]))
    let room = maxContacts - (await countContacts(tx, userId))
    const outcomes: ImportOutcome[] = []
    for (const { contact, number } of read) {
      if (!number.ok) {
        outcomes.push({ outcome: 'number_refused', message: number.message })
        continue
      }
      const name = names.get(number.e164)
      if (name !== undefined) outcomes.push({ outcome: 'already_saved', name })
      else if (room <= 0) outcomes.push({ outcome: 'too_many_contacts', message: fullMessage() })
      else {
        room -= 1
        names.set(number.e164, contact.name)
        const of = { id: random.uuid(), userId, at: clock.now() }
        const saved = await insertContact(tx, of, number, { ...contact, favourite: false })
        outcomes.push({ outcome: 'saved', contact: saved })
      }
    }
    return outcomes
  })
}
