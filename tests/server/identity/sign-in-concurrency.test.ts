import { expect, test } from 'vitest'
import { register, resendVerification, verifyEmail } from '#server/accounts/registration/register.ts'
import { endSession, rotateSession, startSession } from '#server/identity/refresh-token.ts'
import { hashOf } from '#server/identity/stored-hash.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())

const tools = () => ({ clock: world.clock, random: world.services.random, keys: world.services.keys })

test('a session that is renewed in many tabs while it is signed out ends, whoever comes first', async () => {
  const user = await world.addUser()
  for (let round = 0; round < 30; round += 1) {
    const { token } = await startSession(world.db, tools(), user.id)
    const bystander = await startSession(world.db, tools(), user.id)
    const rotate = () => rotateSession(world.db, tools(), token)
    await Promise.all([rotate(), rotate(), endSession(world.db, tools(), token), rotate(), rotate()])
    expect(await liveTokens(token)).toEqual([])
    expect(await liveTokens(bystander.token)).toHaveLength(1)
    expect(await rotate()).toBeUndefined()
    expect(await rotateSession(world.db, tools(), bystander.token)).toBeDefined()
  }
})

test('all links of one account can be opened at the same moment, and mails asked for meanwhile', async () => {
  for (let round = 0; round < 10; round += 1) {
    const email = `links-${round}@example.com`
    await register(world.services, { email, password: 'correct horse battery' })
    for (let link = 0; link < 5; link += 1) await resendVerification(world.services, email)
    const tokens = await mailedTokens(email)
    expect(tokens).toHaveLength(6)
    const opened = await Promise.all([
      ...tokens.map(token => verifyEmail(world.services, token)),
      resendVerification(world.services, email),
    ])
    expect(opened.filter(result => result?.ok === true)).toHaveLength(1)
  }
})

/** What can still be used of the session that a token belongs to. */
function liveTokens(token: string): Promise<unknown[]> {
  return world.db.query(
    `select 1 from refresh_token where revoked_at is null
     and family = (select family from refresh_token where hash = $1)`,
    [hashOf(world.services.keys.stored, token)],
  )
}

async function mailedTokens(email: string): Promise<string[]> {
  const jobs = await world.db.query<{ data: { to: string; text: string } }>('select data from job')
  return jobs
    .filter(job => job.data.to === email)
    .map(job => /token=([\w-]+)/.exec(job.data.text)?.[1] ?? 'no token')
}
