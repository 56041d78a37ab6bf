import { expect, test } from 'vitest'
import { checkResetLink, forgotPassword } from '#server/accounts/password/password-reset.ts'
import { register, verifyEmail } from '#server/accounts/registration/register.ts'
import { login, refresh } from '#server/accounts/sign-in/sign-in.ts'
import { unknownDevice } from '#server/identity/device-name.ts'
import {
  claimOperatorLink,
  createOperatorLink,
  findOperatorSession,
} from '#server/identity/operator-sessions.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { keepForFile } from '#support/file-world.ts'
import { securedSession } from '#support/secured.ts'
import { password } from '#support/web.ts'
import { createWorld } from '#support/world.ts'

/** What docs/operating/security.md promises of a new TOKEN_SECRET. */

/** The same server, started again with another secret. */
const world = keepForFile(await createWorld())
const changed = {
  ...world.services,
  keys: deriveKeys('another secret that is long enough, made after a leak'),
}

async function signIn(email: string): Promise<string> {
  const entered = await login(
    world.services,
    { email, password },
    { device: unknownDevice, address: '127.0.0.1' },
  )
  if (!entered.ok) throw new Error('not signed in')
  return entered.value.refresh.token
}

test('another secret ends every session, and the password opens a new one', async () => {
  const { email } = await world.addUser()
  const first = await signIn(email)
  const renewed = await refresh(world.services, first)
  expect(renewed.ok).toBe(true)
  const newest = renewed.ok ? renewed.value.refresh.token : ''
  for (const token of [first, newest])
    expect(await refresh(changed, token)).toMatchObject({ code: 'no_session' })
  // It was the secret: with the former one it still works.
  expect((await refresh(world.services, newest)).ok).toBe(true)
  const entered = await login(changed, { email, password }, { device: unknownDevice, address: '127.0.0.1' })
  expect(entered.ok).toBe(true)
})

test('another secret ends the sessions of operators and their links', async () => {
  const made = await createOperatorLink(world.services, { name: 'Anna', actor: 'root' })
  const token = made.ok ? (made.value.link.split('=')[1] ?? '') : ''
  const { id } = await world.addUser()
  const { sessionId } = await securedSession(world.services, id)
  expect(await claimOperatorLink(changed, token, sessionId)).toMatchObject({ code: 'link_expired' })
  const claimed = await claimOperatorLink(world.services, token, sessionId)
  if (!claimed.ok) throw new Error('not signed in')
  expect(await findOperatorSession(world.services, claimed.value)).toMatchObject({ name: 'Anna' })
  expect(await findOperatorSession(changed, claimed.value)).toBeUndefined()
})

test('another secret invalidates the links in e-mails', async () => {
  const { email } = await world.addUser()
  await forgotPassword(world.services, email)
  await register(world.services, { email: 'newcomer@example.com', password })
  const jobs = await world.db.query<{ text: string }>(`select data->>'text' as text from job`)
  const find = (pattern: RegExp) =>
    jobs.map(({ text }) => pattern.exec(text ?? '')?.[1]).find(token => token) ?? ''
  const reset = find(/\/reset-password#token=([\w-]+)/)
  expect(await checkResetLink(changed, reset)).toMatchObject({ code: 'link_expired' })
  expect(await checkResetLink(world.services, reset)).toMatchObject({ ok: true })
  const confirmation = find(/verify-email#token=([\w-]+)/)
  expect(await verifyEmail(changed, confirmation)).toMatchObject({ code: 'link_expired' })
})

test("the database keeps neither a session's token nor the one that follows", async () => {
  const { email } = await world.addUser()
  const first = await signIn(email)
  const renewed = await refresh(world.services, first)
  const tokens = [first, renewed.ok ? renewed.value.refresh.token : '']
  const rows = await world.db.query<{ hash: Uint8Array }>('select hash from refresh_token')
  const kept = rows.map(({ hash }) => Buffer.from(hash).toString('base64url'))
  expect(kept.length).toBeGreaterThan(1)
  for (const token of tokens) expect(kept).not.toContain(token)
})
