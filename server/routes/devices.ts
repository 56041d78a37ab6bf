import * as contract from '#lib/api/profile.ts'
import { commonFailure } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import type { Services } from '../services/context.ts'
import { listDevices, signOutDevice, signOutOthers } from '../services/devices.ts'

export function mountDevices(mount: Mount, services: Services): void {
  mount(contract.devices, async ({ userId, sessionId }) => listDevices(services, userId, sessionId))
  mount(contract.signOutDevice, async ({ userId, params }) => {
    if (!(await signOutDevice(services, userId, params.id))) throw commonFailure('not_found')
    return undefined
  })
  mount(contract.signOutOthers, async ({ userId, sessionId }) => {
    await signOutOthers(services, userId, sessionId)
    return undefined
  })
}
