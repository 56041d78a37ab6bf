import { afterAll, beforeAll, expect, test } from 'vitest'
import { followPrepaid } from '#server/observability/prepaid.ts'
import { createTwilioWorld, type TwilioWorld } from './twilio-world.ts'

let world: TwilioWorld
beforeAll(async () => {
  world = await createTwilioWorld({ attemptMs: 1500 })
})
afterAll(() => world.close())

test('what is left on the account is read as dollars', async () => {
  expect(await world.twilio.prepaidUsd()).toBe(25.4)
  world.fake.balance = ''
  expect(await world.twilio.prepaidUsd()).toBeUndefined()
  await world.expectSound()
})

test('it is asked each five minutes at most, and forgotten where it cannot be told', async () => {
  let nowMs = 0
  let asked = 0
  let answer: () => Promise<number | undefined> = async () => 25.4
  const left = followPrepaid(
    () => {
      asked += 1
      return answer()
    },
    () => nowMs,
  )
  const later = async (ms: number) => {
    nowMs += ms
    left()
    await Promise.resolve()
    await Promise.resolve()
    return left()
  }
  expect(left()).toBeUndefined()
  expect(await later(0)).toBe(25.4)
  answer = async () => 3
  expect(await later(299_999)).toBe(25.4)
  expect(asked).toBe(1)
  expect(await later(1)).toBe(3)
  answer = () => Promise.reject(new Error('away'))
  expect(await later(300_000)).toBeUndefined()
  expect(asked).toBe(3)
})
