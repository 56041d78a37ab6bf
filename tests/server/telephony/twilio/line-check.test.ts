import { afterEach, expect, test } from 'vitest'
import { lineCheckPurpose } from '#lib/api/line-check.ts'
import { keepForFile } from '#support/file-world.ts'
import { createTwilioWorld } from './twilio-world.ts'

const world = keepForFile(await createTwilioWorld({ appStatus: true }))
afterEach(() => world.expectSound())

const check = (userId: string) =>
  world.fake.switchboard.connect(userId, { To: '', Purpose: lineCheckPurpose })

test('answers a browser that checks its line, for 15 s, and records no call', async () => {
  const { id } = await world.addUser({ credit: 0 })
  const { sid, outcome } = await check(id)
  expect(outcome).toBe('waiting')
  expect(world.fake.switchboard.leg(sid).status).toBe('in-progress')
  await world.passTime(16_000)
  expect(world.fake.switchboard.leg(sid).status).toBe('completed')
  expect(await world.calls(id)).toEqual([])
  expect(await world.db.query('select 1 from transfer where key like $1', ['call:%'])).toEqual([])
})

test('who checks too often, or is no user of ours, is turned away', async () => {
  const { id } = await world.addUser({ credit: 0 })
  for (let one = 0; one < 10; one++) expect((await check(id)).outcome).toBe('waiting')
  expect((await check(id)).outcome).toBe('rejected')
  expect((await check('5f0c3a52-6a1e-4d0c-9a55-d3a5f0b6a0ff')).outcome).toBe('rejected')
})
