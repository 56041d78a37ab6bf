import { computed, type ReadableAtom } from 'nanostores'
import type { Contact } from '#lib/api/contacts.ts'
import { markFavourite as markEndpoint } from '#lib/api/favourites.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { authorised } from './api.ts'
import { $contacts, loadContacts } from './contacts.ts'

/** The contacts that are wanted at hand, by name. */
export const $favourites: ReadableAtom<readonly Contact[]> = computed($contacts, known =>
  known.state === 'ready' ? known.contacts.filter(({ favourite }) => favourite) : [],
)

export type Marking =
  | { readonly kind: 'marked' }
  /** In words fit to be shown. */
  | { readonly kind: 'failed'; readonly message: string }

/** Ids of contacts about which the server has been asked and has not answered. */
const underWay = new Set<string>()

/** Makes a contact a favourite, or no longer one. A second press before the answer does nothing. */
export async function markFavourite({ id }: Contact, favourite: boolean): Promise<Marking> {
  if (underWay.has(id)) return { kind: 'marked' }
  underWay.add(id)
  const result = await authorised(markEndpoint, { params: { id }, body: { favourite } })
  // The list is the server's own: it also says that a contact was deleted on another page.
  if (result.ok || result.status === 404) await loadContacts()
  underWay.delete(id)
  if (result.ok) return { kind: 'marked' }
  const message = result.code === 'too_many_favourites' ? result.message : texts.contacts.favourite_failed
  return { kind: 'failed', message }
}
