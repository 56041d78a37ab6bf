import { expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { endAllSessions, startSession } from '#server/identity/refresh-token.ts'
import { identityOf } from '#server/telephony/twilio/identity.ts'
import { keepForFile } from '#support/file-world.ts'
import { createTwilioWorld } from '../telephony/twilio/twilio-world.ts'

const world = keepForFile(await createTwilioWorld())
const control = createCallControl(world.services)

const american = '+12125550142'

/** A user with credit, and two sessions of theirs. */
async function signedIn() {
  const user = await world.addUser({ credit: 5 })
  const open = () => world.db.transaction(tx => startSession(tx, world.services, user.id))
  return { user, kept: (await open()).sessionId, lost: (await open()).sessionId }
}

test('a voice token dies with its session: on our own exchange nothing can be placed with it', async () => {
  const { user, kept, lost } = await signedIn()
  const place = (sessionId: string | undefined) =>
    control.place({ userId: user.id, sessionId, to: american, callerId: undefined })
  await endAllSessions(world.db, user.id, world.clock.now(), kept)
  expect(await place(lost)).toEqual({
    kind: 'refuse',
    code: 'signed_out',
    message: 'This device was logged out. Log in again to call.',
  })
  expect(await control.admitLineCheck(user.id, lost)).toBe(false)
  expect(await control.admitLineCheck(user.id, kept)).toBe(true)
  expect(await world.calls(user.id)).toEqual([])
  expect((await place(kept)).kind).toBe('connect')
})

test('nor on the carrier’s network, while a running call is not cut', async () => {
  const { user, kept, lost } = await signedIn()
  const call = (sessionId: string) =>
    world.fake.switchboard.connect(identityOf(user.id, sessionId), { To: american })
  await call(lost)
  await world.settled()
  expect(await world.theCall(user.id)).toMatchObject({ state: 'answered' })
  await endAllSessions(world.db, user.id, world.clock.now(), kept)
  await call(lost)
  await world.settled()
  expect(await world.theCall(user.id)).toMatchObject({ state: 'answered' })
  const answers = world.fake.webhooks.delivered.filter(({ url }) => url.endsWith('/voice'))
  expect(answers.map(({ body }) => body.includes('<Reject'))).toEqual([false, true])
})
