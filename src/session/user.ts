import { atom } from 'nanostores'
import { me, type User } from '#lib/api/me.ts'
import { authorised } from './api.ts'
import { followSession } from './follow-session.ts'
import { $session, start } from './session.ts'
import { freeCallUsedKey, localStore } from './storage.ts'

/** The signed-in user as last loaded; null until loaded, and when signed out. */
export const $user = atom<User | null>(null)

let loading: Promise<User | null> | null = null
/** Something on this page needs the user, so the next one who signs in is loaded, too. */
let wanted = false
/** Counts changes of the user, to ignore answers about the previous one. */
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
  if (result.value.has_used_free_call) localStore.write(freeCallUsedKey, '1')
  else localStore.remove(freeCallUsedKey)
  return result.value
}

/** Concurrent calls share one request. @returns null for a visitor, or after a failure; `$user` then stays */
export function loadUser(): Promise<User | null> {
  wanted = true
  if (loading !== null) return loading
  const mine = load().finally(() => {
    if (loading === mine) loading = null
  })
  loading = mine
  return mine
}

followSession(() => {
  turn += 1
  loading = null
  $user.set(null)
  if (wanted && $session.get().status === 'signed_in') void loadUser()
})
