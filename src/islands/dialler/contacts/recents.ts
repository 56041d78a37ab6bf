import { atom, type ReadableAtom } from 'nanostores'
import { type CallRecord, calls as callsEndpoint } from '#lib/api/calls.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { authorised } from '#session/api.ts'
import { $user } from '#session/user.ts'
import { $contacts } from '#shared/contacts.ts'
import { chooseCountry, setNumber } from '../number/dial.ts'
import { dialContact } from './unsaved-number.ts'

export type Recents =
  /** Not loaded, or nobody is signed in. */
  | { readonly state: 'unknown' }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  /** Ended calls, newest first. */
  | { readonly state: 'ready'; readonly calls: readonly CallRecord[] }

/** Max calls beside the phone; the history has the rest. */
export const maxRecents = 8
/** Request a few more, because live calls are not listed. */
const asked = maxRecents + 2

const unknown: Recents = { state: 'unknown' }
const $known = atom<Recents>(unknown)
export const $recents: ReadableAtom<Recents> = $known

let owner: string | null = null
/** Number of lists on the page; without one, nothing is loaded. */
let lookers = 0
let stop: (() => void) | null = null
/** Counts loads, to ignore outdated answers. */
let turn = 0

/** Loads the last calls. The known ones stay until the answer arrives, and after a failure. */
export async function loadRecents(): Promise<void> {
  turn += 1
  const mine = turn
  if ($known.get().state !== 'ready') $known.set({ state: 'loading' })
  const result = await authorised(callsEndpoint, { query: { limit: asked } }, { skipLogoutOnFail: true })
  if (mine !== turn) return
  if (result.ok) {
    const ended = result.value.calls.filter(({ state }) => state === 'ended')
    $known.set({ state: 'ready', calls: ended.slice(0, maxRecents) })
  } else if ($known.get().state !== 'ready') $known.set({ state: 'failed', message: result.message })
}

/** Reloads because a call has ended, here or on another device; does nothing without a list. */
export function refreshRecents(): void {
  if (lookers > 0 && owner !== null) void loadRecents()
}

function follow(userId: string | null): void {
  if (userId === owner) return
  owner = userId
  turn += 1
  $known.set(unknown)
  if (userId !== null) void loadRecents()
}

export function dialAgain({ to, isoCode }: Pick<CallRecord, 'to' | 'isoCode'>): void {
  const known = $contacts.get()
  const contact =
    known.state === 'ready' ? known.contacts.find(({ phone_number }) => phone_number === to) : undefined
  if (contact === undefined) {
    chooseCountry(entryOfNumber(to, isoCode))
    setNumber(to)
  } else dialContact(contact)
}

/**
 * Keeps the last calls in step with the session while a list is shown. The known ones stay for the next list,
 * which reloads.
 * @returns stops following
 */
export function followRecents(): () => void {
  lookers += 1
  if (lookers === 1) {
    refreshRecents()
    stop = $user.subscribe(user => follow(user?.id ?? null))
  }
  return () => {
    lookers -= 1
    if (lookers > 0) return
    stop?.()
    stop = null
  }
}
