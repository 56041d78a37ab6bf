import type { ServerResponse } from 'node:http'
import { beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, refuse, serve, tokenFor } from '#support/fake-browser.ts'

const mum = {
  ...{ id: 'c1', name: 'Mum', notes: 'Rings twice.', favourite: true },
  ...{ phone_number: '+442079460958', dial_code: '+44', iso_code: 'GB' },
}

let changes: (typeof mum)[]
let respond: (response: ServerResponse) => void

beforeEach(async () => {
  freshBrowser()
  localStorage.setItem('token', tokenFor(600))
  changes = []
  await serve((request, response, body) => {
    const { method, url } = request
    if (url === '/api/protected/me') return answer(response, 200, exampleUser)
    if (url === '/api/contacts' && method === 'GET') return answer(response, 200, [mum])
    if (url === '/api/contacts/c1' && method === 'PATCH') {
      changes.push(JSON.parse(body))
      return respond(response)
    }
    refuse(response, 404, 'not_found')
  })
})

async function openPage() {
  vi.resetModules()
  const [draft, undo, contacts, toasts, user] = await Promise.all([
    import('./contact-draft.ts'),
    import('./undo-delete.ts'),
    import('#shared/contacts.ts'),
    import('#session/toasts.ts'),
    import('#session/user.ts'),
  ])
  contacts.followContacts()
  await user.loadUser()
  await vi.waitFor(() => expect(contacts.$contacts.get().state).toBe('ready'))
  const said = () => toasts.$toasts.get().map(({ message }) => message)
  return { ...draft, ...undo, said }
}

test('a sheet that is left saves what was typed, with the old name if it was emptied', async () => {
  respond = response => answer(response, 200, { ...mum, notes: 'Evenings.' })
  const page = await openPage()
  await page.saveOnLeaving(mum, { name: ' ', notes: 'Evenings.' })
  expect(changes).toEqual([{ name: 'Mum', notes: 'Evenings.' }])
  expect(page.said()).toEqual(['Changes saved'])
  expect(page.draftOf(mum)).toEqual({ name: 'Mum', notes: 'Rings twice.' })
})

test('nothing is sent if nothing was changed', async () => {
  const page = await openPage()
  await page.saveOnLeaving(mum, { name: ' Mum', notes: 'Rings twice. ' })
  expect(changes).toEqual([])
})

test('what could not be saved is there when the sheet opens again', async () => {
  respond = response => refuse(response, 503, 'unavailable')
  const page = await openPage()
  const typed = { name: 'Mum', notes: 'Evenings.' }
  await page.saveOnLeaving(mum, typed)
  expect(page.said()).toEqual(["We couldn't save your changes."])
  expect(page.draftOf(mum)).toEqual(typed)
})

test('a contact that was deleted elsewhere can be brought back with what was typed', async () => {
  respond = response => refuse(response, 404, 'not_found')
  const page = await openPage()
  await page.saveOnLeaving(mum, { name: 'Mum', notes: 'Evenings.' })
  expect(page.said()).toEqual(['This contact was deleted on another page, so your changes are not saved.'])
  expect(page.$deleted.get()).toEqual([{ ...mum, notes: 'Evenings.' }])
})
