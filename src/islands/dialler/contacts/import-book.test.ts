import { beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, refuse, serve, tokenFor } from '#support/fake-browser.ts'

/** How many more contacts the server has room for. */
let room: number
let imports: number

beforeEach(async () => {
  freshBrowser()
  localStorage.setItem('token', tokenFor(600))
  imports = 0
  await serve((request, response, body) => {
    if (request.url === '/api/protected/me') return answer(response, 200, exampleUser)
    if (request.url !== '/api/contacts/import') return refuse(response, 404, 'not_found')
    imports += 1
    if (imports > 60) return refuse(response, 429, 'too_many_requests')
    const { contacts } = JSON.parse(body) as { contacts: { name: string; phone_number: string }[] }
    const outcomes = contacts.map((contact, n) => {
      room -= 1
      return room < 0
        ? { outcome: 'too_many_contacts', message: 'As many as fit.' }
        : {
            outcome: 'saved',
            contact: {
              ...contact,
              id: `c${imports}-${n}`,
              dial_code: '+44',
              iso_code: 'GB',
              favourite: false,
            },
          }
    })
    answer(response, 200, { outcomes })
  })
})

async function bring(count: number) {
  vi.resetModules()
  const [{ importBook }, { loadUser }] = await Promise.all([
    import('./import-book.ts'),
    import('#session/user.ts'),
  ])
  await loadUser()
  const entries = Array.from({ length: count }, (_, n) => ({
    ...{ name: `No ${n}`, e164: `+4420${70_000_000 + n}`, isoCode: 'GB' },
    ...{ formatted: '', extension: '', notes: '' },
  }))
  return importBook(entries, () => undefined)
}

test('a book larger than the room is saved as far as it fits, and no request is sent in vain', async () => {
  room = 30
  const message = 'As many as fit.'
  expect(await bring(1300)).toEqual({ kind: 'done', saved: 30, skipped: 1270, message })
  expect(imports).toBe(2)
})

test('a book that fits is saved whole', async () => {
  room = 45
  expect(await bring(45)).toEqual({ kind: 'done', saved: 45, skipped: 0, message: null })
})
