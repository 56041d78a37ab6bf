import { expect, test } from 'vitest'
import { pageRequestsPerMinute } from '#server/config/policy.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'

const web = keepForFile(await createWeb())
const token = (await web.signUp('ada@example.com')).token

test.each([
  ['GET', '/api/protected/me', 200],
  ['GET', '/api/token', 200],
  ['POST', '/api/auth/refresh-token', 401],
  ['POST', '/api/auth/logout', 204],
] as const)(
  '%s %s is answered to an address so often, and then says when to ask again',
  async (method, url, usual) => {
    const ask = (remoteAddress: string) =>
      web.app.inject({ method, url, remoteAddress, headers: { authorization: `Bearer ${token}` } })
    /** A stranger's request counts too, and asks nothing of the database. */
    const askAsStranger = async (remoteAddress: string) =>
      (await web.app.inject({ method, url, remoteAddress })).statusCode
    for (let asked = 0; asked < pageRequestsPerMinute; asked += 1) await askAsStranger('2001:db8:1:2::1')
    const refused = await ask('2001:db8:1:2:ffff::9')
    expect(refused.json()).toMatchObject({ error: { code: 'too_many_requests' } })
    expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect((await ask('2001:db8:1:3::1')).statusCode).toBe(usual)
    for (let asked = 0; asked <= pageRequestsPerMinute; asked += 1)
      expect(await askAsStranger('127.0.0.1')).not.toBe(429)
    expect((await ask('127.0.0.1')).statusCode).toBe(usual)
  },
)
