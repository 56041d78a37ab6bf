import { computed, type ReadableAtom } from 'nanostores'
import type { Contact } from '#lib/api/contacts.ts'
import { markFavourite as markEndpoint } from '#lib/api/favourites.ts'
import { authorised } from '#session/api.ts'
import { $contacts, loadContacts } from '#shared/contacts.ts'
import { texts } from './texts.ts'

/** Sorted by name. */
export const $favourites: ReadableAtom<readonly Contact[]> = computed($contacts, known =>
  known.state === 'ready' ? known.value.filter(({ favourite }) => favourite) : [],
)

export type Marking = { readonly kind: 'marked' } | { readonly kind: 'failed'; readonly message: string }

const underWay = new Set<string>()

/** Marks or unmarks a favourite. Does nothing while a request for it is in progress. */
export async function markFavourite({ id }: Contact, favourite: boolean): Promise<Marking> {
  if (underWay.has(id)) return { kind: 'marked' }
  underWay.add(id)
  const result = await authorised(markEndpoint, { params: { id }, body: { favourite } })
  // 404: the contact was deleted on another page, so reload.
  if (result.ok || result.status === 404) await loadContacts()
  underWay.delete(id)
  if (result.ok) return { kind: 'marked' }
  const message = result.code === 'too_many_favourites' ? result.message : texts.favouriteFailed
  return { kind: 'failed', message }
}
