import { atom } from 'nanostores'
import { type Device, devices, signOutDevice, signOutOthers } from '#lib/api/profile.ts'
import { authorised } from './api.ts'
import { followSession } from './follow-session.ts'
import type { ApiResult } from './transport.ts'

export type Devices =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly devices: readonly Device[] }

/** Where this account is signed in, this device first. Written here alone. */
export const $devices = atom<Devices>({ state: 'loading' })

/** Counts lists asked for and changes made, so that an answer from before a change is dropped. */
let turn = 0

/** Asks where the account is signed in. What is known stays when no answer comes. */
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

/** Signs a device out; one that is signed out already is just as well. */
export async function signOut(id: string): Promise<ApiResult<typeof signOutDevice> | { readonly ok: true }> {
  const result = await authorised(signOutDevice, { params: { id } })
  if (!result.ok && result.status !== 404) return result
  keepOnly(device => device.id !== id)
  return { ok: true }
}

/** Signs out every device but this one. */
export async function signOutElsewhere(): Promise<ApiResult<typeof signOutOthers>> {
  const result = await authorised(signOutOthers, {})
  if (result.ok) keepOnly(device => device.current)
  return result
}

followSession(() => {
  turn += 1
  $devices.set({ state: 'loading' })
})
