import { expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { followPrepaid } from '#server/observability/prepaid.ts'
import { keepForFile } from '#support/file-world.ts'
import { createTwilioWorld } from './twilio-world.ts'

const world = keepForFile(await createTwilioWorld({ attemptMs: 1500 }))

test('what is left on the account is read as dollars', async () => {
  expect(await world.twilio.prepaidUsd()).toBe(25.4)
  world.fake.balance = ''
  expect(await world.twilio.prepaidUsd()).toBeUndefined()
  await world.expectSound()
})

test('is reported to the account, and to no API key', async () => {
  const { accountSid, apiKey, apiSecret, apiUrl } = world.fake.settings
  const answer = await fetch(`${apiUrl}/2010-04-01/Accounts/${accountSid}/Balance.json`, {
    headers: { authorization: `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}` },
  })
  expect(answer.status).toBe(401)
})

test('is read each five minutes at most, and forgotten when it cannot be read', async () => {
  let nowMs = 0
  let asked = 0
  let answer: () => Promise<number | undefined> = async () => 25.4
  const left = followPrepaid(
    () => {
      asked += 1
      return answer()
    },
    () => nowMs,
    createLog('silent'),
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

test('logs once that it is no longer reported, and once that it is again', async () => {
  const missed = 'the carrier does not report our prepaid balance'
  const logged: { level: number; msg: string; err?: { message: string } }[] = []
  let nowMs = 0
  const follow = (ask: () => Promise<number | undefined>) => {
    const left = followPrepaid(
      ask,
      () => nowMs,
      createLog('info', { write: text => logged.push(JSON.parse(text)) }),
    )
    return async () => {
      nowMs += 300_000
      left()
      await new Promise(resolve => setImmediate(resolve))
      return logged.splice(0).map(({ level, msg, err }) => [level, msg, err?.message])
    }
  }
  let answer: () => Promise<number | undefined> = () => Promise.reject(new Error('refused'))
  const later = follow(() => answer())
  expect(await later()).toEqual([[40, missed, 'refused']])
  expect(await later()).toEqual([])
  answer = async () => 25.4
  expect(await later()).toEqual([[30, 'the carrier reports our prepaid balance again', undefined]])
  expect(await later()).toEqual([])
  answer = async () => undefined
  expect(await later()).toEqual([[40, missed, undefined]])
  expect(await later()).toEqual([])

  const never = follow(async () => undefined)
  expect(await never()).toEqual([])
  expect(await never()).toEqual([])
})
