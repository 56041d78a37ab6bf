import { atom, type ReadableAtom } from 'nanostores'
import { type CallRecord, calls as callsEndpoint } from '#lib/api/calls.ts'
import { entryOfNumber } from '#lib/rules/countries.ts'
import { authorised } from './api.ts'
import { $contacts } from './contacts.ts'
import { chooseCountry, setNumber } from './dial.ts'
import { dialContact } from './unsaved-number.ts'
import { $user } from './user.ts'

export type Recents =
  /** Nobody has looked yet, or nobody is signed in. */
  | { readonly state: 'unknown' }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  /** Calls that have ended, newest first. */
  | { readonly state: 'ready'; readonly calls: readonly CallRecord[] }

/** Calls that stand beside the phone; the history has the others. */
export const mostRecents = 8
/** A few more are asked for: those that go on are not listed. */
const asked = mostRecents + 2

const unknown: Recents = { state: 'unknown' }
const $known = atom<Recents>(unknown)
/** The signed-in user's last calls. Written here alone. */
export const $recents: ReadableAtom<Recents> = $known

let owner: string | null = null
/** How many lists of them are on the page: without one, nothing is asked for. */
let lookers = 0
let stop: (() => void) | null = null
/** Counts what was asked for, so that an answer to an older question is dropped. */
let turn = 0

/** Asks for the last calls. Those that are known stay until the answer is there, and also when it is a failure. */
export async function loadRecents(): Promise<void> {
  turn += 1
  const mine = turn
  if ($known.get().state !== 'ready') $known.set({ state: 'loading' })
  const result = await authorised(callsEndpoint, { query: { limit: asked } }, { skipLogoutOnFail: true })
  if (mine !== turn) return
  if (result.ok) {
    const ended = result.value.calls.filter(({ state }) => state === 'ended')
    $known.set({ state: 'ready', calls: ended.slice(0, mostRecents) })
  } else if ($known.get().state !== 'ready') $known.set({ state: 'failed', message: result.message })
}

/** Asks anew because a call has ended, here or on another device; nothing where nobody looks. */
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

/** Takes the number of an earlier call into the dialler, as the contact that it belongs to where it is saved. */
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
 * Keeps the last calls at those of whoever is signed in, as long as somebody looks. What is known stays for the next look,
 * which asks anew.
 * @returns ends it
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
