import { changeContact, contacts, deleteContact, importContacts, saveContact } from '#lib/api/contacts.ts'
import { markFavourite } from '#lib/api/favourites.ts'
import type { Services } from '../context.ts'
import { commonFailure, failed } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import * as service from './contacts.ts'
import * as favourites from './favourites.ts'
import * as imports from './import-contacts.ts'

/** Per minute and address: nobody types names faster, and 25 requests import a full address book. */
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
    importContacts,
    async ({ userId, body }) => ({ outcomes: await imports.importContacts(services, userId, body.contacts) }),
    { perMinute: changesPerMinute },
  )
  mount(
    changeContact,
    async ({ userId, params, body }) => {
      const changed = await service.changeContact(db, userId, params.id, body)
      if (changed === undefined) throw commonFailure('not_found')
      return changed
    },
    { perMinute: changesPerMinute },
  )
  mount(
    markFavourite,
    async ({ userId, params, body }) => {
      const marked = await favourites.markFavourite(db, userId, params.id, body.favourite)
      if (marked.ok) return marked.contact
      if (marked.code === 'not_found') throw commonFailure('not_found')
      const { code, message } = marked
      throw failed(markFavourite, code, message, { errors: [{ message }] })
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
