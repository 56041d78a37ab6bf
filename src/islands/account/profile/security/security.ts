import { atom, type ReadableAtom } from 'nanostores'
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
import { followSession, rememberUser } from '#session/follow-session.ts'
import { createPrivateResource, type Resource } from '#session/private-resource.ts'
import type { ApiResult } from '#session/transport.ts'
import type { PasskeyResult } from '../../sign-in/passkeys.ts'

const resource = createPrivateResource<Security>(() => authorised(getSecurity, {}))
export const $security: ReadableAtom<Resource<Security>> = resource.$state
export const loadSecurity = resource.load

const $codes = atom<readonly string[] | null>(null)
/** New recovery codes: shown once, never stored; null if none. */
export const $newCodes: ReadableAtom<readonly string[] | null> = $codes

/** Applies the answer to a change, unless another user is signed in by now. */
function show(isSameUser: () => boolean, security: Security, codes: readonly string[] | null = null): void {
  if (!isSameUser()) return
  resource.set(security)
  if (codes !== null) $codes.set(codes)
}

export function forgetNewCodes(): void {
  $codes.set(null)
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
  const isSameUser = rememberUser()
  const started = await authorised(startPasskey, { body: { password } })
  if (!started.ok) return started
  const { createPasskey } = await import('../../sign-in/passkeys.ts')
  const made = await createPasskey(started.value.options)
  if (!made.ok) return made
  const added = await authorised(addPasskey, { body: { response: made.response, name } })
  if (added.ok) show(isSameUser, added.value.security, added.value.recoveryCodes)
  return added
}

export async function removeOwnPasskey(id: string, password = ''): Promise<ApiResult<typeof removePasskey>> {
  const isSameUser = rememberUser()
  const result = await authorised(removePasskey, { params: { id }, body: { password } })
  if (result.ok) show(isSameUser, result.value)
  return result
}

/** @returns what the authenticator app must read */
export function beginAuthenticator(password = ''): Promise<ApiResult<typeof startAuthenticator>> {
  return authorised(startAuthenticator, { body: { password } })
}

export async function finishAuthenticator(code: string): Promise<ApiResult<typeof confirmAuthenticator>> {
  const isSameUser = rememberUser()
  const result = await authorised(confirmAuthenticator, { body: { code } })
  if (result.ok) show(isSameUser, result.value.security, result.value.recoveryCodes)
  return result
}

export async function dropAuthenticator(password = ''): Promise<ApiResult<typeof removeAuthenticator>> {
  const isSameUser = rememberUser()
  const result = await authorised(removeAuthenticator, { body: { password } })
  if (result.ok) show(isSameUser, result.value)
  return result
}

export async function renewRecoveryCodes(password = ''): Promise<ApiResult<typeof makeRecoveryCodes>> {
  const isSameUser = rememberUser()
  const result = await authorised(makeRecoveryCodes, { body: { password } })
  if (result.ok) show(isSameUser, result.value.security, result.value.recoveryCodes)
  return result
}

followSession(forgetNewCodes)
