import * as contract from '#lib/api/profile.ts'
import type { Services } from '../../context.ts'
import { commonFailure } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import { ownerProof, proofOutdated } from '../password/owner-proof.ts'
import { listDevices, signOutDevice, signOutOthers } from './devices.ts'

export function mountDevices(mount: Mount, services: Services): void {
  mount(contract.devices, async ({ userId, sessionId }) => listDevices(services, userId, sessionId))
  mount(contract.signOutDevice, async ({ params, body, ...who }) => {
    const known = await ownerProof(services, contract.signOutDevice, who, body.password)
    const done = await signOutDevice(services, who.userId, params.id, known)
    if (done === undefined) throw proofOutdated(contract.signOutDevice)
    if (!done) throw commonFailure('not_found')
    return undefined
  })
  mount(contract.signOutOthers, async ({ body, ...who }) => {
    const known = await ownerProof(services, contract.signOutOthers, who, body.password)
    if (!(await signOutOthers(services, who.userId, who.sessionId, known)))
      throw proofOutdated(contract.signOutOthers)
    return undefined
  })
}
