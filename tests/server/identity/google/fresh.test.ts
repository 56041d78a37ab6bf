import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createGoogleWorld, type Visit } from './google-world.ts'

const world = keepForFile(await createGoogleWorld())

const minuteSeconds = 60

/** Signs every other device out, as the session that a visit ended with: what only an owner may do. */
async function actAsOwner({ cookies }: Visit): Promise<[number, string | undefined]> {
  const renewed = await world.app.inject({
    method: 'POST',
    url: '/api/auth/refresh-token',
    headers: { cookie: `refresh=${cookies['refresh']}` },
  })
  const answer = await world.app.inject({
    method: 'DELETE',
    url: '/api/protected/devices',
    headers: { authorization: `Bearer ${renewed.json().token}` },
    payload: { password: '' },
  })
  return [answer.statusCode, answer.body === '' ? undefined : answer.json().error.message]
}

async function come(email: string, loggedInSecondsAgo: number | null, again: boolean): Promise<Visit> {
  const begun = await world.begin({ next: '/profile', ...(again && { again: '1' }) })
  return world.comeBack(world.choose(begun, { email, loggedInSecondsAgo }), begun.cookies)
}

const message = 'Log in with Google again, then do this within 10 minutes.'

test('whoever has just logged in at Google has shown who they are, for ten minutes from then', async () => {
  const email = 'fresh@example.com'
  const visit = await come(email, 4 * minuteSeconds, true)
  expect(visit.address.searchParams.get('told')).toBeNull()
  expect(await actAsOwner(visit)).toEqual([204, undefined])
  const later = await come(email, 4 * minuteSeconds, false)
  world.clock.advance(6 * 60_000)
  expect(await actAsOwner(later)).toEqual([403, message])
})

test.each([
  ['logged in there six minutes ago', 6 * minuteSeconds],
  ['logged in there at a time that Google does not say', null],
])(
  'a user who only pressed a button has not signed in again, and is told so where it matters: %s',
  async (_, ago) => {
    const email = `stale-${ago}@example.com`
    const visit = await come(email, ago, true)
    expect(visit.address.searchParams.get('told')).toBe('not_proved')
    expect(await actAsOwner(visit)).toEqual([403, message])
    const ordinary = await come(email, ago, false)
    expect(ordinary.address.searchParams.get('told')).toBeNull()
  },
)

test('asks Google when the user signed in, and for a fresh sign-in where one is needed', async () => {
  const asked = async (again?: string) =>
    Object.fromEntries((await world.begin(again === undefined ? {} : { again })).address.searchParams)
  const claims = '{"id_token":{"auth_time":{"essential":true}}}'
  expect(await asked()).toMatchObject({ prompt: 'select_account', claims })
  expect(await asked()).not.toHaveProperty('max_age')
  expect(await asked('1')).toMatchObject({ prompt: 'login', max_age: '0', claims })
})
