import { atom } from 'nanostores'
import { type Device, devices, signOutDevice, signOutOthers } from '#lib/api/profile.ts'
import { authorised } from '#session/api.ts'
import { followSession } from '#session/follow-session.ts'
import type { ApiResult } from '#session/transport.ts'

export type Devices =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly devices: readonly Device[] }

/** This device first. */
export const $devices = atom<Devices>({ state: 'loading' })

/** Counts loads and changes, to ignore answers from before a change. */
let turn = 0

export async function loadDevices(): Promise<void> {
  turn += 1
  const mine = turn
  if ($devices.get().state === 'failed') $devices.set({ state: 'loading' })
  const result = await authorised(devices, {})
  if (mine !== turn) return
  if (result.ok) $devices.set({ state: 'ready', devices: result.value })
  else if ($devices.get().state !== 'ready') $devices.set({ state: 'failed', message: result.message })
}

function keepOnly(stays: (device: Device) => boolean): void {
  turn += 1
  const shown = $devices.get()
  if (shown.state === 'ready') $devices.set({ state: 'ready', devices: shown.devices.filter(stays) })
}

/** Signs a device out. @param password may be empty if this device signed in recently */
export async function signOut(
  id: string,
  password = '',
): Promise<ApiResult<typeof signOutDevice> | { readonly ok: true }> {
  const result = await authorised(signOutDevice, { params: { id }, body: { password } })
  if (!result.ok && result.status !== 404) return result
  keepOnly(device => device.id !== id)
  return { ok: true }
}

/** @param password as above */
export async function signOutElsewhere(password = ''): Promise<ApiResult<typeof signOutOthers>> {
  const result = await authorised(signOutOthers, { body: { password } })
  if (result.ok) keepOnly(device => device.current)
  return result
}

followSession(() => {
  turn += 1
  $devices.set({ state: 'loading' })
})
