import type { ReadableAtom } from 'nanostores'
import { type CallRecord, calls as callsEndpoint } from '#lib/api/calls.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { authorised } from '#session/api.ts'
import { createPrivateResource, type Resource } from '#session/private-resource.ts'
import { $user } from '#session/user.ts'
import { $contacts } from '#shared/contacts.ts'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { placeCall } from '../call/place-call.ts'
import { enterNumber } from '../number/dial.ts'
import { dialContact } from './unsaved-number.ts'

/** Max calls in the list; the history has the rest. */
export const maxRecents = 8
/** Enough to tell who is called most; the list shows the first of them. */
const asked = 100

const resource = createPrivateResource<readonly CallRecord[]>(async () => {
  const result = await authorised(callsEndpoint, { query: { limit: asked } }, { skipLogoutOnFail: true })
  if (!result.ok) return result
  const ended = result.value.calls.filter(({ state }) => state === 'ended')
  return { ok: true, value: ended }
})
/** Ended calls, newest first. */
export const $recents: ReadableAtom<Resource<readonly CallRecord[]>> = resource.$state
export const loadRecents = resource.load

let owner: string | null = null
/** Without a list on the page, nothing is loaded. */
let listCount = 0
let stop: (() => void) | null = null

/** Reloads because a call has ended, here or on another device; does nothing without a list. */
export function refreshRecents(): void {
  if (listCount > 0 && owner !== null) void loadRecents()
}

function follow(userId: string | null): void {
  if (userId === owner) return
  owner = userId
  resource.reset()
  if (userId !== null) void loadRecents()
}

/** Enters the number, with the extension of its contact, and calls it. Does nothing during a call. */
export async function callAgain({ to, isoCode }: Pick<CallRecord, 'to' | 'isoCode'>): Promise<void> {
  if (isLive($call.get())) return
  const known = $contacts.get()
  const contact =
    known.state === 'ready' ? known.value.find(({ phone_number }) => phone_number === to) : undefined
  if (contact === undefined) enterNumber(entryOfNumber(to, isoCode), to)
  else dialContact(contact)
  await placeCall()
}

/** Follows the session while a list is shown. Known calls stay for the next list, which reloads. @returns stops it */
export function followRecents(): () => void {
  listCount += 1
  if (listCount === 1) {
    refreshRecents()
    stop = $user.subscribe(user => follow(user?.id ?? null))
  }
  return () => {
    listCount -= 1
    if (listCount > 0) return
    stop?.()
    stop = null
  }
}
