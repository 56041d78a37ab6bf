import { computed, type ReadableAtom } from 'nanostores'
import type { CallRecord } from '#lib/api/calls.ts'
import type { Contact } from '#lib/api/contacts.ts'
import { $contacts } from '#shared/contacts.ts'
import { $recents } from '../contacts/recents.ts'

/** A sheet of stamps: two rows of four. */
export const maxPeople = 8

export interface Person {
  readonly contact: Contact
  /** The latest answered call among the recent ones; null if there is none. */
  readonly lastTalked: Date | null
}

export type People =
  | { readonly state: 'loading' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly people: readonly Person[] }

interface Talks {
  readonly count: number
  readonly last: Date
}

/** By E.164. @param calls newest first */
function talksByNumber(calls: readonly CallRecord[]): ReadonlyMap<string, Talks> {
  const talks = new Map<string, Talks>()
  for (const { to, answeredAt } of calls) {
    if (answeredAt === null) continue
    const known = talks.get(to)
    talks.set(to, { count: (known?.count ?? 0) + 1, last: known?.last ?? new Date(answeredAt) })
  }
  return talks
}

/** Favourites first, then those most often talked to lately, then by name. */
export function choosePeople(contacts: readonly Contact[], calls: readonly CallRecord[]): readonly Person[] {
  const talks = talksByNumber(calls)
  const countOf = ({ phone_number }: Contact) => talks.get(phone_number)?.count ?? 0
  const favourites = contacts.filter(({ favourite }) => favourite)
  const others = contacts.filter(({ favourite }) => !favourite).sort((a, b) => countOf(b) - countOf(a))
  return [...favourites, ...others]
    .slice(0, maxPeople)
    .map(contact => ({ contact, lastTalked: talks.get(contact.phone_number)?.last ?? null }))
}

/** Waits for both lists, so that nobody changes places. Without the calls, people are there all the same. */
export const $people: ReadableAtom<People> = computed([$contacts, $recents], (contacts, recents): People => {
  if (contacts.state === 'failed') return { state: 'failed' }
  if (contacts.state === 'loading' || recents.state === 'loading') return { state: 'loading' }
  const calls = recents.state === 'ready' ? recents.value : []
  return { state: 'ready', people: choosePeople(contacts.value, calls) }
})
