import type { ServerResponse } from 'node:http'
import { beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, refuse, serve, type TestServer, tokenFor } from '#support/fake-browser.ts'

const london = { phone_number: '+442079460958', dial_code: '+44', iso_code: 'GB' }
const delhi = { phone_number: '+919876543210', dial_code: '+91', iso_code: 'IN' }
const mum = { id: 'c1', name: 'Mum', ...london, favourite: false }
const anjali = { id: 'c2', name: 'Anjali', ...delhi, favourite: false }

const me = { ...exampleUser, credits: 0, has_used_free_call: false, has_made_call: false }

let server: TestServer
let bodies: string[]
/** How the next answers to a path are given, in turn; the last one repeats. */
let answers: Record<string, ((response: ServerResponse) => void)[]>

const lists =
  (...contacts: object[]) =>
  (response: ServerResponse) =>
    answer(response, 200, contacts)

beforeEach(async () => {
  freshBrowser()
  localStorage.setItem('token', tokenFor(600))
  bodies = []
  answers = {
    'GET /api/protected/me': [response => answer(response, 200, me)],
    'GET /api/contacts': [lists(mum)],
    'POST /api/contacts': [response => answer(response, 201, anjali)],
    'DELETE /api/contacts/c1': [response => answer(response, 204)],
  }
  server = await serve((request, response, body) => {
    if (body !== '') bodies.push(body)
    const queue = answers[`${request.method} ${request.url}`] ?? []
    const next = queue.length > 1 ? queue.shift() : queue[0]
    if (next === undefined) refuse(response, 404, 'not_found')
    else next(response)
  })
})

async function openPage() {
  vi.resetModules()
  const [contacts, toasts, user, session] = await Promise.all([
    import('./contacts.ts'),
    import('#session/toasts.ts'),
    import('#session/user.ts'),
    import('#session/session.ts'),
  ])
  const names = () => {
    const known = contacts.$contacts.get()
    return known.state === 'ready' ? known.value.map(({ name }) => name) : known.state
  }
  return { ...contacts, ...toasts, ...user, ...session, names }
}

/** A page of somebody whose contacts have been loaded. */
async function openLoadedPage() {
  const page = await openPage()
  page.followContacts()
  await page.loadUser()
  await vi.waitFor(() => expect(page.names()).toEqual(['Mum']))
  return page
}

test('are loaded for whoever is signed in, and forgotten at the log-out', async () => {
  const page = await openLoadedPage()
  expect(page.$contactNames.get().get('+442079460958')).toBe('Mum')
  page.endSession()
  expect(page.names()).toBe('loading')
  expect(page.$contactNames.get().size).toBe(0)
})

test('are those of the signed-in user, with none that were saved for another user', async () => {
  const page = await openLoadedPage()
  const late = Promise.withResolvers<ServerResponse>()
  answers['POST /api/contacts'] = [late.resolve]
  const saving = page.saveContact('Anjali', delhi)
  const asked = await late.promise
  answers['GET /api/contacts'] = [lists()]
  answers['GET /api/protected/me'] = [response => answer(response, 200, { ...me, id: 'another' })]
  await page.loadUser()
  expect(page.names()).toBe('loading')
  await vi.waitFor(() => expect(page.names()).toEqual([]))
  answer(asked, 201, anjali)
  expect(await saving).toEqual({ kind: 'saved' })
  expect(page.names()).toEqual([])
})

test('reloads the list when a contact is saved while the list is not there', async () => {
  answers['GET /api/contacts'] = [r => refuse(r, 503, 'unavailable'), lists(mum, anjali)]
  const page = await openPage()
  await page.loadContacts()
  await page.saveContact('Anjali', delhi)
  await vi.waitFor(() => expect(page.names()).toEqual(['Anjali', 'Mum']))
})

test('a list that does not load is reported and asked for again; one that was there stays', async () => {
  answers['GET /api/contacts'] = [
    r => refuse(r, 503, 'unavailable'),
    lists(mum),
    r => refuse(r, 500, 'internal'),
  ]
  const page = await openPage()
  await page.loadContacts()
  expect(page.$contacts.get()).toEqual({ state: 'failed', message: 'Refused: unavailable.' })
  await page.loadContacts()
  await page.loadContacts()
  expect(page.names()).toEqual(['Mum'])
})

test('saves under the trimmed name, says so, and puts the contact in its place', async () => {
  const page = await openLoadedPage()
  expect(await page.saveContact('  Anjali \n', delhi)).toEqual({ kind: 'saved' })
  expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({ name: 'Anjali', ...delhi })
  expect(page.names()).toEqual(['Anjali', 'Mum'])
  expect(page.$toasts.get()).toMatchObject([{ type: 'success', message: 'Contact saved!' }])
  // Sent again after an answer that was lost, it is the same contact.
  await page.saveContact('Anjali', delhi)
  expect(page.names()).toEqual(['Anjali', 'Mum'])
})

test('sends nothing without a name', async () => {
  const page = await openLoadedPage()
  const before = server.requests.length
  for (const name of ['', '   ', '\u200d'])
    expect(await page.saveContact(name, london)).toEqual({ kind: 'nameless' })
  expect(server.requests).toHaveLength(before)
})

test('shows a rejection in the text of the errors list, and every other failure in its own text', async () => {
  const page = await openLoadedPage()
  answers['POST /api/contacts'] = [
    r => answer(r, 400, { error: { code: 'x', message: 'Other.' }, errors: [{ message: 'Saved already.' }] }),
    r => refuse(r, 400, 'invalid_request'),
    r => refuse(r, 500, 'internal'),
    r => refuse(r, 404, 'not_found'),
    r => r.destroy(),
  ]
  const save = () => page.saveContact('Mum', london)
  expect(await save()).toEqual({ kind: 'refused', message: 'Saved already.' })
  expect(await save()).toEqual({ kind: 'refused', message: 'Refused: invalid_request.' })
  expect(await save()).toEqual({ kind: 'failed', message: 'Could not save contact.' })
  expect(await save()).toEqual({ kind: 'failed', message: 'Could not save contact.' })
  expect(await save()).toEqual({ kind: 'failed', message: 'Something went wrong.' })
  expect(page.$toasts.get()).toEqual([])
  expect(page.names()).toEqual(['Mum'])
})

test('removes a deleted contact, even one already gone; one that could not be deleted stays', async () => {
  const page = await openLoadedPage()
  answers['DELETE /api/contacts/c1'] = [r => refuse(r, 500, 'internal'), r => answer(r, 204)]
  expect(await page.deleteContact('c1')).toEqual({ deleted: false })
  expect(page.names()).toEqual(['Mum'])
  expect(await page.deleteContact('c1')).toEqual({ deleted: true })
  expect(page.names()).toEqual([])
  expect(await page.deleteContact('gone')).toEqual({ deleted: true })
})

test('a list from before a change does not undo it', async () => {
  const page = await openLoadedPage()
  const late = Promise.withResolvers<ServerResponse>()
  answers['GET /api/contacts'] = [late.resolve]
  const loading = page.loadContacts()
  const asked = await late.promise
  await page.saveContact('Anjali', delhi)
  answer(asked, 200, [mum])
  await loading
  expect(page.names()).toEqual(['Anjali', 'Mum'])
})
