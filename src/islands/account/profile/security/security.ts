import { atom } from 'nanostores'
import {
  addPasskey,
  confirmAuthenticator,
  getSecurity,
  makeRecoveryCodes,
  removeAuthenticator,
  removePasskey,
  type Security,
  startAuthenticator,
  startPasskey,
} from '#lib/api/second-factor.ts'
import { authorised } from '#session/api.ts'
import { followSession } from '#session/follow-session.ts'
import type { ApiResult } from '#session/transport.ts'
import type { PasskeyResult } from '../../sign-in/passkeys.ts'

export type SecurityState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly security: Security }

export const $security = atom<SecurityState>({ state: 'loading' })
/** New recovery codes: shown once, never stored; null if none. */
export const $newCodes = atom<readonly string[] | null>(null)

/** Counts loads and changes, to ignore answers from before a change. */
let turn = 0

export async function loadSecurity(): Promise<void> {
  turn += 1
  const mine = turn
  if ($security.get().state === 'failed') $security.set({ state: 'loading' })
  const result = await authorised(getSecurity, {})
  if (mine !== turn) return
  if (result.ok) $security.set({ state: 'ready', security: result.value })
  else if ($security.get().state !== 'ready') $security.set({ state: 'failed', message: result.message })
}

function show(security: Security, codes: readonly string[] | null = null): void {
  turn += 1
  $security.set({ state: 'ready', security })
  if (codes !== null) $newCodes.set(codes)
}

export function forgetNewCodes(): void {
  $newCodes.set(null)
}

/** @param password may be empty if this device signed in recently */
export async function addOwnPasskey(
  name: string,
  password = '',
): Promise<
  | ApiResult<typeof addPasskey>
  | ApiResult<typeof startPasskey>
  | Exclude<PasskeyResult, { readonly ok: true }>
> {
  const started = await authorised(startPasskey, { body: { password } })
  if (!started.ok) return started
  const { createPasskey } = await import('../../sign-in/passkeys.ts')
  const made = await createPasskey(started.value.options)
  if (!made.ok) return made
  const added = await authorised(addPasskey, { body: { response: made.response, name } })
  if (added.ok) show(added.value.security, added.value.recoveryCodes)
  return added
}

/** @param password as above */
export async function removeOwnPasskey(id: string, password = ''): Promise<ApiResult<typeof removePasskey>> {
  const result = await authorised(removePasskey, { params: { id }, body: { password } })
  if (result.ok) show(result.value)
  return result
}

/** @param password as above @returns what the authenticator app must read */
export function beginAuthenticator(password = ''): Promise<ApiResult<typeof startAuthenticator>> {
  return authorised(startAuthenticator, { body: { password } })
}

export async function finishAuthenticator(code: string): Promise<ApiResult<typeof confirmAuthenticator>> {
  const result = await authorised(confirmAuthenticator, { body: { code } })
  if (result.ok) show(result.value.security, result.value.recoveryCodes)
  return result
}

/** @param password as above */
export async function dropAuthenticator(password = ''): Promise<ApiResult<typeof removeAuthenticator>> {
  const result = await authorised(removeAuthenticator, { body: { password } })
  if (result.ok) show(result.value)
  return result
}

/** @param password as above */
export async function renewRecoveryCodes(password = ''): Promise<ApiResult<typeof makeRecoveryCodes>> {
  const result = await authorised(makeRecoveryCodes, { body: { password } })
  if (result.ok) show(result.value.security, result.value.recoveryCodes)
  return result
}

followSession(() => {
  turn += 1
  $security.set({ state: 'loading' })
  $newCodes.set(null)
})
