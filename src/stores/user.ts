import { atom } from 'nanostores'
import { me, type User } from '#lib/api/me.ts'
import { authorised } from './api.ts'
import { followSession } from './follow-session.ts'
import { $session, start } from './session.ts'

/** The signed-in user as the server last described them; null until loaded, and when signed out. */
export const $user = atom<User | null>(null)

let loading: Promise<User | null> | null = null
/** Somebody on this page wants to know: whoever signs in next is asked about, too. */
let wanted = false
/** Counts users, so that an answer about the one before is dropped. */
let turn = 0

async function load(): Promise<User | null> {
  await start()
  if ($session.get().status === 'signed_out') return null
  const mine = turn
  const result = await authorised(me, {})
  if (mine !== turn) return $user.get()
  if (!result.ok) {
    console.error(`The profile could not be loaded: ${result.code} (status ${result.status})`)
    return null
  }
  if ($session.get().status !== 'signed_in') return null
  $user.set(result.value)
  return result.value
}

/**
 * Asks the server who the user is. Calls at the same time share one request.
 * @returns the user; null for a visitor, and when it failed: that is logged, and the user stays as last known
 */
export function loadUser(): Promise<User | null> {
  wanted = true
  if (loading !== null) return loading
  const mine = load().finally(() => {
    if (loading === mine) loading = null
  })
  loading = mine
  return mine
}

// What was known, or is under way, was of the one before.
followSession(() => {
  turn += 1
  loading = null
  $user.set(null)
  if (wanted && $session.get().status === 'signed_in') void loadUser()
})
