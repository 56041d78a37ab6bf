import { expect } from 'vitest'
import { createOperatorLink } from '#server/identity/operator-sessions.ts'
import { securedSession } from '#support/secured.ts'
import type { Watched } from './watched.ts'

/** What somebody who is logged in with a second factor asks of the operators' page. */
export async function openOperatorPage(watched: Watched) {
  const operator = await securedSession(watched.services, (await watched.world.addUser()).id)

  async function link(name = 'Anna'): Promise<string> {
    const made = await createOperatorLink(watched.services, { name, actor: 'root' })
    if (!made.ok) throw new Error(made.code)
    const [, token] = /^http:\/\/localhost:4321\/ops#sign-in=([\w-]{43})$/.exec(made.value.link) ?? []
    if (token === undefined) throw new Error(`no link: ${made.value.link}`)
    return token
  }

  const claim = async (token: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
    watched.app.inject({
      method: 'POST',
      url: '/api/ops/sign-in',
      payload: { token },
      headers: { authorization: await operator.authorization(), ...headers },
      remoteAddress,
    })

  /** @returns the cookie */
  async function signIn(name?: string): Promise<string> {
    const answer = await claim(await link(name), {}, `192.0.2.${Math.floor(Math.random() * 200) + 2}`)
    expect(answer.statusCode).toBe(204)
    return String(answer.headers['set-cookie']).split(';')[0] ?? ''
  }

  const look = (cookie?: string, span = 'day') =>
    watched.app.inject({
      url: `/api/ops/overview?span=${span}`,
      headers: cookie === undefined ? {} : { cookie },
    })

  return { link, claim, signIn, look }
}
