import { referrals } from '#lib/api/referrals.ts'
import type { Services } from '../context.ts'
import { commonFailure } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { showReferrals } from './own-referrals.ts'

export function mountReferrals(mount: Mount, services: Services): void {
  mount(referrals, async ({ userId }) => {
    const shown = await showReferrals(services, userId)
    if (shown === undefined) throw commonFailure('unauthorized')
    return shown
  })
}
