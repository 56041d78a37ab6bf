import { atom, computed, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import { removeCallerId as removeEndpoint, verifiedCallerIds } from '#lib/api/caller-id.ts'
import { authorised } from './api.ts'
import { localStore } from './storage.ts'
import { $user, loadUser } from './user.ts'

/** E.164 numbers, oldest first; null until the server has told them, and when nobody is signed in. */
type Numbers = readonly string[] | null

const $numbers = atom<Numbers>(null)
/** The numbers that the signed-in user has verified. Written here alone. */
export const $callerIds: ReadableAtom<Numbers> = $numbers

const $missed = atom(false)
/** The last list that was asked for did not come, and none is known. Written here alone. */
export const $callerIdsMissed: ReadableAtom<boolean> = $missed

const $choice = atom<string | null>(null)
/** The number that calls show; null is the public one. A number that is verified no more is not chosen. */
export const $callFrom: ReadableAtom<string | null> = computed([$choice, $numbers], (choice, numbers) =>
  choice !== null && numbers !== null && !numbers.includes(choice) ? null : choice,
)

const choiceKey = 'callFrom'
/** Of one user: whoever else uses this browser begins with the public number. */
const storedChoice = z.object({ userId: z.string(), number: z.string() })

let owner: string | null = null
/** Counts lists asked for and changes made, so that an answer from before a change is dropped. */
let turn = 0

function readChoice(userId: string): string | null {
  try {
    const stored = z.parse(storedChoice, JSON.parse(localStore.read(choiceKey) ?? 'null'))
    return stored.userId === userId ? stored.number : null
  } catch {
    return null // Nothing was chosen, or something else wrote under this key.
  }
}

/** Chooses what calls show from now on, null for the public number. Remembered. */
export function chooseCallFrom(number: string | null): void {
  $choice.set(number)
  if (number === null || owner === null) localStore.remove(choiceKey)
  else localStore.write(choiceKey, JSON.stringify({ userId: owner, number }))
}

/**
 * Asks the server which numbers are verified. What is known stays when no answer comes.
 * @returns the numbers; null when it failed, or when somebody else is signed in by now
 */
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

/**
 * Forgets a verified number. Calls that showed it show the public one.
 * @returns whether it is gone
 */
export async function removeCallerId(number: string): Promise<boolean> {
  const mine = owner
  const result = await authorised(removeEndpoint, { params: { number } })
  // Removed already, in another tab: just as well.
  const gone = result.ok || result.status === 404
  if (!gone || mine !== owner) return gone
  turn += 1
  $numbers.set($numbers.get()?.filter(one => one !== number) ?? null)
  if ($choice.get() === number) chooseCallFrom(null)
  return true
}

/**
 * Keeps the numbers and the choice at those of whoever is signed in.
 * @returns ends it
 */
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

/** What a call placed now shows: E.164, or undefined for the public number. The server checks it once more. */
export async function callerIdForCall(): Promise<string | undefined> {
  if ($user.get() === null) await loadUser()
  return $callFrom.get() ?? undefined
}
