import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#lib/api/endpoint.ts'
import { exportPath } from '#lib/api/profile.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWeb } from '#support/web.ts'
import { deliver, order } from '../payments/buyer.ts'

// REL-39, over every endpoint of the contract: whatever is another user's is not there.

const contract = join(import.meta.dirname, '..', '..', '..', 'src', 'lib', 'api')
const endpoints: Endpoint[] = []
for (const file of readdirSync(contract)) {
  const exported = Object.values((await import(join(contract, file))) as Record<string, unknown>)
  endpoints.push(...exported.filter(isEndpoint))
}

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value
  )
}

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

interface Person {
  readonly token: string
  readonly userId: string
  readonly email: string
  readonly contactId: string
  readonly contactName: string
  readonly callId: string
  readonly callerId: string
  readonly paymentId: string
  readonly intentRef: string
  readonly deviceId: string
  readonly passkeyId: string
  readonly referralCode: string
}

interface Request {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Requests that name a record: whose it is gets an answer, and everybody else that there is nothing. Deletions last. */
const naming: Readonly<Record<string, (of: Person) => Request>> = {
  'GET /api/calls/:id': ({ callId }) => ({ params: { id: callId } }),
  'GET /api/calls/:id/receipt': ({ callId }) => ({ params: { id: callId } }),
  'POST /api/calls/:id/claim': ({ callId }) => ({ params: { id: callId }, body: { issue: 'echo' } }),
  'POST /api/calls/:id/quality': ({ callId }) => ({
    params: { id: callId },
    body: { seconds: 30, heardSeconds: 30, mos: 4.2, lossPercent: 0, jitterMs: 4, roundTripMs: 60 },
  }),
  'GET /api/payments/:id': ({ paymentId }) => ({ params: { id: paymentId } }),
  'GET /api/payments/:id/receipt': ({ paymentId }) => ({ params: { id: paymentId } }),
  'GET /api/payments/:id/refund': ({ paymentId }) => ({ params: { id: paymentId } }),
  'POST /api/payments/:id/refund': ({ paymentId }) => ({
    params: { id: paymentId },
    body: { amount: 19.98 },
  }),
  'POST /api/feedback': ({ callId }) => ({ body: { score: 5, callId } }),
  'DELETE /api/caller-id/verified': ({ callerId }) => ({ body: { phoneNumber: callerId } }),
  'PUT /api/contacts/:id/favourite': ({ contactId }) => ({
    params: { id: contactId },
    body: { favourite: true },
  }),
  'PATCH /api/contacts/:id': ({ contactId, contactName }) => ({
    params: { id: contactId },
    body: { name: contactName, notes: 'Rings twice.' },
  }),
  'DELETE /api/contacts/:id': ({ contactId }) => ({ params: { id: contactId } }),
  'DELETE /api/protected/security/passkeys/:id': ({ passkeyId }) => ({
    params: { id: passkeyId },
    body: { password: '' },
  }),
  'DELETE /api/protected/devices/:id': ({ deviceId }) => ({
    params: { id: deviceId },
    body: { password: '' },
  }),
}

/** Endpoints of a signed-in user that name no record: they speak of whoever asks, and of nobody else. */
const ownOnly = [
  'GET /api/calls',
  'POST /api/calls/search',
  'POST /api/calls/totals',
  'GET /api/caller-id/verification',
  'GET /api/caller-id/verified',
  'POST /api/caller-id/request-verification',
  'GET /api/contacts',
  'POST /api/contacts',
  'POST /api/contacts/import',
  'POST /api/payments/auto-topup-toggle',
  'POST /api/payments/create-checkout-session',
  'GET /api/protected/album',
  'GET /api/protected/devices',
  'DELETE /api/protected/devices',
  'POST /api/protected/delete-account',
  'POST /api/protected/heard-about',
  'GET /api/protected/me',
  'GET /api/protected/profile',
  'POST /api/protected/profile/email',
  'DELETE /api/protected/profile/email',
  'POST /api/protected/profile/name',
  'POST /api/protected/profile/password',
  'DELETE /api/protected/profile/saved-card',
  // Of a session with a second factor alone, and with a link (`observability/operator-sign-in.test.ts`).
  'POST /api/ops/sign-in',
  'GET /api/protected/security',
  'POST /api/protected/security/authenticator',
  'DELETE /api/protected/security/authenticator',
  'POST /api/protected/security/authenticator/start',
  'POST /api/protected/security/passkeys',
  'POST /api/protected/security/passkeys/start',
  'POST /api/protected/security/recovery-codes',
  'GET /api/protected/spending',
  'POST /api/protected/spending/caps',
  'POST /api/protected/spending/locked',
  'GET /api/referrals',
  'GET /api/gifts',
  'POST /api/gifts',
  // A code is for whoever has it.
  'POST /api/gifts/look-up',
  'POST /api/gifts/redeem',
  'GET /api/test-call',
  'GET /api/test-call/token',
  'GET /api/token',
  'POST /api/line-check',
  'GET /api/transfers',
  'GET /api/billing',
]

/** Endpoints without a user: what they know is everybody's, or proved by a secret that was mailed or is in a cookie. */
const nobodys = [
  'POST /api/auth/confirm-email-change',
  'POST /api/auth/forgot-password',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/auth/passkey',
  'POST /api/auth/passkey/start',
  'POST /api/auth/refresh-token',
  'POST /api/auth/register',
  'POST /api/auth/resend-verification',
  'POST /api/auth/reset-password',
  'POST /api/auth/reset-password/check',
  'POST /api/auth/second-factor/code',
  'POST /api/auth/second-factor/start',
  'POST /api/auth/verify-email',
  'GET /api/rates/:isoCode',
  'GET /api/rates/number/:fullNumber',
  'GET /api/site',
  'POST /api/support',
  // Outside production alone: what would be other people's servers and telephones.
  'GET /dev/checkout/sessions/:ref',
  'POST /dev/checkout/sessions/:ref/authentication',
  'POST /dev/checkout/sessions/:ref/pay',
  'POST /dev/google/authorize',
  'GET /dev/handset.json',
  'POST /dev/handset/claims',
]

/** An operator's: no user's session opens them (`observability/operator-sign-in.test.ts`). */
const operators = ['GET /api/ops/overview', 'POST /api/ops/sign-out']

test('every endpoint of the contract has its place here', () => {
  const names = endpoints.map(nameOf)
  expect(new Set(names)).toEqual(new Set([...Object.keys(naming), ...ownOnly, ...nobodys, ...operators]))
  const withoutUser = endpoints.filter(({ auth }) => auth !== 'bearer').map(nameOf)
  expect(new Set(withoutUser)).toEqual(new Set([...nobodys, ...operators]))
})

test('whatever has an id in its path or its body names a record', () => {
  const withId = endpoints.filter(endpoint => endpoint.auth === 'bearer' && namesRecord(endpoint)).map(nameOf)
  // The code of somebody's link is there to be given to others.
  const mayName = [...Object.keys(naming), 'POST /api/payments/create-checkout-session']
  expect(withId.filter(name => !mayName.includes(name))).toEqual([])
})

function namesRecord({ params, body }: Endpoint): boolean {
  const fields = Object.keys((body as { shape?: object } | undefined)?.shape ?? {})
  return params !== undefined || fields.some(field => /id$/i.test(field))
}

const web = keepForFile(await createWeb())

describe('two users', () => {
  let owner: Person
  let stranger: Person
  beforeAll(async () => {
    owner = await newPerson('olga@example.com', '+12125550101')
    stranger = await newPerson('sam@example.org', '+12125550102')
  })

  async function newPerson(email: string, callerId: string): Promise<Person> {
    const { token, userId } = await web.signUp(email)
    const get = async (url: string) => (await send('GET', url, token)).json()
    await web.db.query(`update app_user set free_call = 'used' where id = $1`, [userId])
    await web.db.query('insert into caller_id values ($1, $2, $3)', [userId, callerId, web.clock.now()])
    const bought = await order(web, userId, 20)
    await deliver(web, bought.paid())
    const call = await connectCall(web.control, userId, `+1212555${callerId.slice(-4)}`)
    await call.end(30_000)
    const contactName = `Aunt of ${email}`
    const contact = { name: contactName, phone_number: callerId, dial_code: '+1', iso_code: 'US' }
    const saved = await send('POST', '/api/contacts', token, contact)
    const [device] = await get('/api/protected/devices')
    // One more than the page that asks, which would sign itself out.
    await web.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': 'Another' },
      payload: { email, password: 'correct horse battery' },
    })
    const others = (await get('/api/protected/devices')) as { id: string }[]
    const { link } = await get('/api/referrals')
    const passkeyId = randomUUID()
    await web.db.query(
      `insert into passkey (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
       values ($1::uuid, $2, $1::text, 'key', 0, '{}', 'Laptop', $3)`,
      [passkeyId, userId, web.clock.now()],
    )
    return {
      token,
      userId,
      email,
      contactId: saved.json().id,
      contactName,
      callId: call.callId,
      callerId,
      paymentId: bought.id,
      intentRef: bought.intentRef,
      deviceId: others.find(({ id }) => id !== device.id)?.id ?? '',
      passkeyId,
      referralCode: String(new URL(link).searchParams.get('ref')),
    }
  }

  const send = (method: Endpoint['method'], url: string, token: string, payload?: object) =>
    web.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload !== undefined && { payload }),
    })

  const ask = (name: string, asker: Person, { params = {}, body }: Request) => {
    const [method = '', path = ''] = name.split(' ')
    const url = path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
    return send(method as Endpoint['method'], url, asker.token, body)
  }

  test.each(Object.keys(naming))('%s is found by its owner only', async name => {
    const request = naming[name]?.(owner)
    if (request === undefined) throw new Error(`nothing is known of ${name}`)
    const refused = await ask(name, stranger, request)
    expect([refused.statusCode, refused.json().error.code]).toEqual([404, 'not_found'])
    const answered = await ask(name, owner, request)
    expect(answered.statusCode).toBeLessThan(300)
  })

  test.each([...ownOnly.filter(name => name.startsWith('GET ')), `GET ${exportPath}`])(
    '%s reveals nothing of other users',
    async name => {
      const answer = await ask(name, stranger, {})
      expect(answer.statusCode).toBe(200)
      const { token: _, ...marks } = owner
      for (const mark of Object.values(marks)) expect(answer.body).not.toContain(mark)
    },
  )

  test('a place in another user’s list leads to one’s own', async () => {
    const first = await send('GET', '/api/transfers?limit=1', owner.token)
    const cursor = encodeURIComponent(first.json().nextCursor)
    const answer = await send('GET', `/api/transfers?limit=50&cursor=${cursor}`, stranger.token)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain(owner.paymentId)
    const line = await send('GET', '/api/billing?limit=1', owner.token)
    const after = encodeURIComponent(line.json().nextCursor)
    const lines = await send('GET', `/api/billing?limit=50&cursor=${after}`, stranger.token)
    expect(lines.statusCode).toBe(200)
    expect(lines.body).not.toContain(owner.paymentId)
  })

  test('nobody calls with another user’s caller ID', async () => {
    const { userId } = stranger
    const placed = await web.control.place({ userId, to: '+12125550100', callerId: owner.callerId })
    expect(placed).toMatchObject({ kind: 'refuse', code: 'caller_id_not_verified' })
  })
})
