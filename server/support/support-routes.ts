import { support } from '#lib/api/support.ts'
import { company } from '#lib/company.ts'
import type { Services } from '../context.ts'
import { tooManyRequests } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { sendSupportMessage } from './support.ts'

/** Per hour and address: more than anybody writes by hand, too few to flood the inbox. */
const messagesPerHour = 20

const tooMany = `This form has taken all the messages that it can in a day. You can write to ${company.supportEmail} now.`

export function mountSupport(mount: Mount, services: Services): void {
  mount(
    support,
    async ({ body, http }) => {
      const sent = await sendSupportMessage(services, body, http.request.ip)
      if (!sent.ok) throw tooManyRequests(sent.spent.waitMs, tooMany)
      return { reference: sent.reference }
    },
    { perHour: messagesPerHour },
  )
}
