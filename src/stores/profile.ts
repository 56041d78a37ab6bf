import { atom } from 'nanostores'
import {
  cancelEmailChange,
  changeEmail,
  changeName,
  changePassword,
  getProfile,
  type Profile,
  removeSavedCard,
} from '#lib/api/profile.ts'
import { authorised } from './api.ts'
import { loadDevices } from './devices.ts'
import { followSession } from './follow-session.ts'
import { goInstead } from './navigation.ts'
import { $session, loggedOutHere, start } from './session.ts'
import type { ApiResult } from './transport.ts'
import { loadUser } from './user.ts'

export type ProfileState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  /** Signed out while the page was open, maybe in another tab: what is private left the screen. */
  | { readonly state: 'signed_out' }
  | { readonly state: 'ready'; readonly profile: Profile }

/** What the account is. Written here alone. */
export const $profile = atom<ProfileState>({ state: 'loading' })

/** Counts openings, so that an answer to an older one is dropped. */
let opening = 0
/** Counts whose turn it is, so that an answer about one user is not shown to the next. */
let turn = 0
/** The change before: each answer is the whole profile, so the last one asked for must come last. */
let changing: Promise<unknown> = Promise.resolve()

function sendToLogin(): void {
  goInstead(`/login?next=${encodeURIComponent('/profile')}`)
}

/** Loads the profile, also again after a failure. Visitors are sent to log in and come back. */
export async function openProfile(): Promise<void> {
  opening += 1
  const mine = opening
  if ($profile.get().state !== 'ready') $profile.set({ state: 'loading' })
  await start()
  if ($session.get().status !== 'signed_in') return sendToLogin()
  const result = await authorised(getProfile, {})
  if (mine !== opening) return
  // Signed out while it was on its way: it is nobody's to see. A log-out on this page leads on by itself.
  if ($session.get().status !== 'signed_in') return loggedOutHere() ? undefined : sendToLogin()
  if (result.ok) return $profile.set({ state: 'ready', profile: result.value })
  if (result.status === 401) return sendToLogin()
  // What is known stays: only a page that shows nothing has to say so.
  if ($profile.get().state !== 'ready') $profile.set({ state: 'failed', message: result.message })
}

type Changed = { readonly ok: true; readonly value: Profile } | { readonly ok: false }

/** A change whose answer is the profile as it is then. One goes out after the other. */
function change<Result extends Changed>(ask: () => Promise<Result>): Promise<Result> {
  const mine = turn
  const result = changing.then(async () => {
    const answered = await ask()
    const told: Changed = answered
    if (told.ok && mine === turn && $profile.get().state === 'ready') {
      opening += 1
      $profile.set({ state: 'ready', profile: told.value })
    }
    return answered
  })
  changing = result
  return result
}

/** Takes a name, as it was typed; an empty one takes it away. */
export function saveName(name: string): Promise<ApiResult<typeof changeName>> {
  return change(() => authorised(changeName, { body: { name } }))
}

/**
 * Has a link sent to a new address; the account keeps its old one until the link is opened.
 * @param password empty where the account has none
 */
export function askEmailChange(email: string, password: string): Promise<ApiResult<typeof changeEmail>> {
  return change(() => authorised(changeEmail, { body: { email, password } }))
}

/** Gives up the new address that waits for its confirmation. */
export function giveUpEmailChange(): Promise<ApiResult<typeof cancelEmailChange>> {
  return change(() => authorised(cancelEmailChange, {}))
}

/** Takes the saved card away, and with it auto top-up. */
export async function forgetCard(): Promise<ApiResult<typeof removeSavedCard>> {
  const result = await change(() => authorised(removeSavedCard, {}))
  // Auto top-up ends also where the payment provider did not answer and the card is kept for now.
  if (!result.ok) void openProfile()
  void loadUser()
  return result
}

/**
 * Sets another password, which signs out every other device. What the page then shows is asked for after the answer.
 * @param current empty where the account has none yet
 */
export async function setPassword(current: string, next: string): Promise<ApiResult<typeof changePassword>> {
  const result = await authorised(changePassword, { body: { current, next } })
  if (result.ok) {
    void openProfile()
    void loadDevices()
  }
  return result
}

/** Another user's turn: what is private goes, and whoever is signed in now, here or by another tab, sees their own. */
followSession(() => {
  turn += 1
  const left = $session.get().status === 'signed_out'
  // An opening that is refused ends the session itself, and then goes to log in.
  if (left && $profile.get().state !== 'ready') return
  opening += 1
  $profile.set({ state: left ? 'signed_out' : 'loading' })
  if (left) return
  // The parts of the page go by the user: it is known first.
  void loadUser().then(openProfile)
})
