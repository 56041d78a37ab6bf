import { contacts, deleteContact, saveContact } from '#lib/api/contacts.ts'
import { commonFailure, failed } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import * as service from '../services/contacts.ts'
import type { Services } from '../services/context.ts'

/** Changes a minute from one address: nobody types names faster. */
const changesPerMinute = 60

export function mountContacts(mount: Mount, services: Services): void {
  const { db } = services
  mount(contacts, async ({ userId }) => service.listContacts(db, userId))
  mount(
    saveContact,
    async ({ userId, body }) => {
      const saved = await service.saveContact(services, userId, body)
      if (saved.ok) return saved.contact
      const { code, message } = saved
      throw failed(saveContact, code, message, { errors: [{ message }] })
    },
    { perMinute: changesPerMinute },
  )
  mount(
    deleteContact,
    async ({ userId, params }) => {
      if (!(await service.deleteContact(db, userId, params.id))) throw commonFailure('not_found')
      return undefined
    },
    { perMinute: changesPerMinute },
  )
}
