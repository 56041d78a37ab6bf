import { feedback } from '#lib/api/feedback.ts'
import type { Services } from '../context.ts'
import { commonFailure } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { keepFeedback } from './feedback.ts'

/** From one address: far more than a household's calls, too few to fill a database. */
const perHour = 60

export function mountFeedback(mount: Mount, services: Services): void {
  mount(
    feedback,
    async ({ userId, body }) => {
      if (!(await keepFeedback(services, userId, body))) throw commonFailure('not_found')
      return undefined
    },
    { perHour },
  )
}
