import { atom, type ReadableAtom } from 'nanostores'
import {
  cancelEmailChange,
  changeEmail,
  changeName,
  changePassword,
  getProfile,
  type Profile,
  removeSavedCard,
} from '#lib/api/profile.ts'
import { localPath } from '#lib/i18n/path.ts'
import { authorised } from '#session/api.ts'
import { followSession, rememberUser } from '#session/follow-session.ts'
import { goToLogin } from '#session/navigation.ts'
import type { Resource } from '#session/private-resource.ts'
import { $session, loggedOutHere, start } from '#session/session.ts'
import type { ApiResult } from '#session/transport.ts'
import { loadUser } from '#session/user.ts'
import { loadDevices } from './devices.ts'

export type ProfileState =
  | Resource<Profile>
  /** Signed out while the page was open, perhaps in another tab; private data is cleared. */
  | { readonly state: 'signed_out' }

const $shown = atom<ProfileState>({ state: 'loading' })
export const $profile: ReadableAtom<ProfileState> = $shown

/** Counts loads, to ignore outdated answers. */
let opening = 0
/** The previous change. Each answer is the whole profile, so changes run one at a time. */
let changing: Promise<unknown> = Promise.resolve()

const sendToLogin = () => goToLogin(localPath('/profile'))

/** Loads the profile, also to retry. Visitors are sent to log in and return. */
export async function openProfile(): Promise<void> {
  opening += 1
  const mine = opening
  if ($shown.get().state !== 'ready') $shown.set({ state: 'loading' })
  await start()
  if ($session.get().status !== 'signed_in') return sendToLogin()
  const result = await authorised(getProfile, {})
  if (mine !== opening) return
  // Signed out while loading. A logout on this page redirects by itself.
  if ($session.get().status !== 'signed_in') return loggedOutHere() ? undefined : sendToLogin()
  if (result.ok) return $shown.set({ state: 'ready', value: result.value })
  if (result.status === 401) return sendToLogin()
  if ($shown.get().state !== 'ready') $shown.set({ state: 'failed', message: result.message })
}

type Changed = { readonly ok: true; readonly value: Profile } | { readonly ok: false }

function change<Result extends Changed>(ask: () => Promise<Result>): Promise<Result> {
  const isSameUser = rememberUser()
  const result = changing.then(async () => {
    const answered = await ask()
    const changed: Changed = answered
    if (changed.ok && isSameUser() && $shown.get().state === 'ready') {
      opening += 1
      $shown.set({ state: 'ready', value: changed.value })
    }
    return answered
  })
  changing = result
  return result
}

/** @param name as typed; empty removes it */
export function saveName(name: string): Promise<ApiResult<typeof changeName>> {
  return change(() => authorised(changeName, { body: { name } }))
}

/** The account keeps the old address until the link is opened. @param password empty if there is none */
export function askEmailChange(email: string, password: string): Promise<ApiResult<typeof changeEmail>> {
  return change(() => authorised(changeEmail, { body: { email, password } }))
}

export function giveUpEmailChange(): Promise<ApiResult<typeof cancelEmailChange>> {
  return change(() => authorised(cancelEmailChange, {}))
}

export async function forgetCard(): Promise<ApiResult<typeof removeSavedCard>> {
  const result = await change(() => authorised(removeSavedCard, {}))
  // Auto top-up is off even if the payment provider did not answer and the card is kept for now.
  if (!result.ok) void openProfile()
  void loadUser()
  return result
}

/** Signs out all other devices. @param current empty if the account has no password yet */
export async function setPassword(current: string, next: string): Promise<ApiResult<typeof changePassword>> {
  const result = await authorised(changePassword, { body: { current, next } })
  if (result.ok) {
    void openProfile()
    void loadDevices()
  }
  return result
}

/** Private data: reload when the user changes. */
followSession(() => {
  const left = $session.get().status === 'signed_out'
  // A refused load ends the session itself and then redirects to the login.
  if (left && $shown.get().state !== 'ready') return
  opening += 1
  $shown.set({ state: left ? 'signed_out' : 'loading' })
  if (left) return
  // Parts of the page depend on the user, so load it first.
  void loadUser().then(openProfile)
})
