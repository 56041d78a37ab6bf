import { feedback } from '#lib/api/feedback.ts'
import { support } from '#lib/api/support.ts'
import { company } from '#lib/company.ts'
import type { Services } from '../context.ts'
import { commonFailure, tooManyRequests } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { keepFeedback } from './feedback.ts'
import { sendSupportMessage } from './support.ts'
import { answers } from './support-texts.ts'

/** Per hour and address: more than anybody writes by hand, too few to flood the inbox. */
const messagesPerHour = 20

export function mountSupport(mount: Mount, services: Services): void {
  mount(
    support,
    async ({ body, http }) => {
      const sent = await sendSupportMessage(services, body, http.request.ip)
      if (!sent.ok)
        throw tooManyRequests(sent.spent.waitMs, answers.tooMany({ support: company.supportEmail }))
      return { reference: sent.reference }
    },
    { perHour: messagesPerHour },
  )
}

/** From one address: far more than a household's calls, too few to fill a database. */
const feedbackPerHour = 60

export function mountFeedback(mount: Mount, services: Services): void {
  mount(
    feedback,
    async ({ userId, body }) => {
      if (!(await keepFeedback(services, userId, body))) throw commonFailure('not_found')
      return undefined
    },
    { perHour: feedbackPerHour },
  )
}
