import { support } from '#lib/api/support.ts'
import type { Mount } from '../http/mount.ts'
import type { Services } from '../services/context.ts'
import { sendSupportMessage } from '../services/support.ts'

/** Messages an hour from one address: more than anybody writes by hand, too few to bury the inbox. */
const messagesPerHour = 20

export function mountSupport(mount: Mount, services: Services): void {
  mount(support, async ({ body }) => ({ reference: await sendSupportMessage(services, body) }), {
    perHour: messagesPerHour,
  })
}
