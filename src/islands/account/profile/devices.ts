import type { ReadableAtom } from 'nanostores'
import { type Device, devices, signOutDevice, signOutOthers } from '#lib/api/profile.ts'
import { authorised } from '#session/api.ts'
import { createPrivateResource, type Resource } from '#session/private-resource.ts'
import type { ApiResult } from '#session/transport.ts'

const resource = createPrivateResource<readonly Device[]>(() => authorised(devices, {}))
/** This device first. */
export const $devices: ReadableAtom<Resource<readonly Device[]>> = resource.$state
export const loadDevices = resource.load

/** Signs a device out. @param password may be empty if this device signed in recently */
export async function signOut(
  id: string,
  password = '',
): Promise<ApiResult<typeof signOutDevice> | { readonly ok: true }> {
  const result = await authorised(signOutDevice, { params: { id }, body: { password } })
  if (!result.ok && result.status !== 404) return result
  resource.update(shown => shown.filter(device => device.id !== id))
  return { ok: true }
}

export async function signOutElsewhere(password = ''): Promise<ApiResult<typeof signOutOthers>> {
  const result = await authorised(signOutOthers, { body: { password } })
  if (result.ok) resource.update(shown => shown.filter(device => device.current))
  return result
}
