import { expect, test } from 'vitest'
import { openApiDocument } from '#lib/openapi/document.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password } from '#support/web.ts'
import { readerOf } from './reader.ts'

const document = openApiDocument()
const web = keepForFile(await createWeb())
const { token, cookie } = await web.signUp('ada@example.com')

const gift = { fromName: 'Ada', toName: 'Grandma', message: '', recipientEmail: null }
const contact = { name: 'Grandma', phone_number: '020 7946 0958', dial_code: '+44', iso_code: 'GB' }

/** Requests of every kind; the path as the document writes it, and as it is asked for. */
const requests: readonly (readonly [
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  status: number,
  sent?: { readonly at?: string; readonly body?: object; readonly visitor?: true },
])[] = [
  ['GET', '/api/rates/{isoCode}', 200, { at: '/api/rates/GB', visitor: true }],
  ['GET', '/api/rates/{isoCode}', 404, { at: '/api/rates/ZZ', visitor: true }],
  ['GET', '/api/rates/number/{fullNumber}', 200, { at: '/api/rates/number/+442079460958', visitor: true }],
  ['GET', '/api/site', 200, { visitor: true }],
  ['POST', '/api/auth/register', 202, { body: { email: 'new@example.com', password }, visitor: true }],
  ['POST', '/api/auth/register', 400, { body: { email: 'nobody' }, visitor: true }],
  ['POST', '/api/auth/login', 200, { body: { email: 'ada@example.com', password }, visitor: true }],
  ['POST', '/api/auth/login', 401, { body: { email: 'ada@example.com', password: 'no' }, visitor: true }],
  ['POST', '/api/auth/refresh-token', 200],
  ['POST', '/api/auth/refresh-token', 401, { visitor: true }],
  ['POST', '/api/auth/verify-email', 410, { body: { token: 'an-old-one' }, visitor: true }],
  ['GET', '/api/protected/me', 200],
  ['GET', '/api/protected/me', 401, { visitor: true }],
  ['GET', '/api/protected/profile', 200],
  ['GET', '/api/protected/devices', 200],
  ['GET', '/api/token', 200],
  ['POST', '/api/line-check', 200],
  ['POST', '/api/contacts', 201, { body: contact }],
  ['POST', '/api/contacts', 400, { body: { ...contact, name: 'Somebody else' } }],
  ['GET', '/api/contacts', 200],
  [
    'POST',
    '/api/contacts/import',
    200,
    {
      body: {
        contacts: [
          { name: 'Uncle', phone_number: '+442079460959', notes: 'Rings twice.' },
          { name: 'Nobody', phone_number: '+44999' },
        ],
      },
    },
  ],
  ['PATCH', '/api/contacts/{id}', 404, { at: '/api/contacts/6f1c2d3e', body: { name: 'Gran' } }],
  ['GET', '/api/calls', 200],
  ['GET', '/api/calls', 400, { at: '/api/calls?limit=0' }],
  ['POST', '/api/calls/search', 200, { body: { who: '0142' } }],
  ['POST', '/api/calls/totals', 200, { body: {} }],
  ['GET', '/api/calls/{id}', 404, { at: '/api/calls/6f1c2d3e-4a5b-4c6d-8e7f-9a0b1c2d3e4f' }],
  ['GET', '/api/billing', 200],
  ['GET', '/api/billing', 400, { at: '/api/billing?show=everything' }],
  ['GET', '/api/transfers', 200],
  ['GET', '/api/referrals', 200],
  ['GET', '/api/gifts', 200],
  ['POST', '/api/gifts', 200, { body: { ...gift, amount: 10 } }],
  ['POST', '/api/gifts', 400, { body: { ...gift, amount: 4 } }],
  ['GET', '/api/caller-id/verification', 200],
  ['GET', '/api/caller-id/verified', 200],
  ['POST', '/api/payments/auto-topup-toggle', 409, { body: { autoTopUpEnabled: true } }],
  ['POST', '/api/protected/heard-about', 204, { body: { source: 'friend' } }],
]

test('the server answers as the document says', async () => {
  for (const [method, path, status, { at = path, body, visitor } = {}] of requests) {
    const headers = visitor ? {} : { authorization: `Bearer ${token}`, cookie }
    const answer = await web.app.inject({ method, url: at, headers, ...(body && { payload: body }) })
    const name = `${method} ${at}`
    expect([name, answer.statusCode], answer.body).toEqual([name, status])
    const documented = document.paths[path]?.[method.toLowerCase()]?.responses[status]
    if (documented === undefined) throw new Error(`${name}: the document has no ${status}`)
    const [, shared] = ('$ref' in documented && /(\w+)$/.exec(documented.$ref)) || []
    const meant = shared === undefined ? documented : document.components.responses[shared]
    const schema =
      meant !== undefined && 'content' in meant ? meant.content?.['application/json']?.schema : undefined
    if (schema === undefined) {
      expect(answer.body, name).toBe('')
      continue
    }
    // An error is of the shape that all have, and of a code that stands in its own schema beside that.
    const [shape = schema, codes] = schema.allOf ?? []
    const { error } = readerOf(document, shape).safeParse(answer.json())
    expect(error, name).toBeUndefined()
    if (codes !== undefined)
      expect(codes.properties?.['error']?.properties?.['code']?.enum, name).toContain(
        answer.json().error.code,
      )
  }
})
