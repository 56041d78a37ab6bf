import { atom, computed, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import { removeCallerId as removeEndpoint, verifiedCallerIds } from '#lib/api/caller-id.ts'
import { authorised } from '#session/api.ts'
import { callFromKey } from '#session/session.ts'
import { localStore } from '#session/storage.ts'
import { $user, loadUser } from '#session/user.ts'

/** E.164, oldest first; null until loaded and when signed out. */
type Numbers = readonly string[] | null

const $numbers = atom<Numbers>(null)
export const $callerIds: ReadableAtom<Numbers> = $numbers

const $missed = atom(false)
export const $callerIdsMissed: ReadableAtom<boolean> = $missed

const $choice = atom<string | null>(null)
/** The number that calls show if it is still verified; null for the public one. */
export const $callFrom: ReadableAtom<string | null> = computed([$choice, $numbers], (choice, numbers) =>
  choice !== null && numbers !== null && !numbers.includes(choice) ? null : choice,
)

/** Belongs to one user; another user of this browser starts with the public number. */
const storedChoice = z.object({ userId: z.string(), number: z.string() })

let owner: string | null = null
/** Counts loads and changes, to ignore answers from before a change. */
let turn = 0

function readChoice(userId: string): string | null {
  try {
    const stored = z.parse(storedChoice, JSON.parse(localStore.read(callFromKey) ?? 'null'))
    return stored.userId === userId ? stored.number : null
  } catch {
    return null // Missing, or written by other code.
  }
}

export function chooseCallFrom(number: string | null): void {
  $choice.set(number)
  if (number === null || owner === null) localStore.remove(callFromKey)
  else localStore.write(callFromKey, JSON.stringify({ userId: owner, number }))
}

/** A failure keeps the known numbers. @returns null after a failure or a change of the user */
export async function loadCallerIds(): Promise<Numbers> {
  turn += 1
  const mine = turn
  const result = await authorised(verifiedCallerIds, {}, { skipLogoutOnFail: true })
  if (mine !== turn) return null
  $missed.set(!result.ok && $numbers.get() === null)
  if (!result.ok) return null
  const numbers = result.value.map(({ phone_number }) => phone_number)
  $numbers.set(numbers)
  return numbers
}

/** Calls that showed the number then show the public one. @returns whether it is removed */
export async function removeCallerId(number: string): Promise<boolean> {
  const mine = owner
  const result = await authorised(removeEndpoint, { body: { phoneNumber: number } })
  // 404: already removed in another tab.
  const gone = result.ok || result.status === 404
  if (!gone || mine !== owner) return gone
  turn += 1
  $numbers.set($numbers.get()?.filter(one => one !== number) ?? null)
  if ($choice.get() === number) chooseCallFrom(null)
  return true
}

/** Keeps the numbers and the choice in step with the session. @returns stops following */
export function followCallerIds(): () => void {
  return $user.subscribe(user => {
    const userId = user?.id ?? null
    if (userId === owner) return
    owner = userId
    turn += 1
    $numbers.set(null)
    $choice.set(userId === null ? null : readChoice(userId))
    if (userId !== null) void loadCallerIds()
  })
}

/** E.164, or undefined for the public number. The server checks it again. */
export async function callerIdForCall(): Promise<string | undefined> {
  if ($user.get() === null) await loadUser()
  return $callFrom.get() ?? undefined
}
