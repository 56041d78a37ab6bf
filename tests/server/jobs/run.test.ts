import { beforeEach, expect, test } from 'vitest'
import { enqueue } from '#server/jobs/queue.ts'
import { type FailedJob, type JobTools, runDueJobs } from '#server/jobs/run.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())
const { db, clock } = world

let failed: FailedJob[]
beforeEach(async () => {
  failed = []
  await db.query('delete from job')
})

const run = (tools: Partial<JobTools>) =>
  runDueJobs({
    db,
    clock,
    mailer: { send: async () => undefined },
    onFailure: job => failed.push(job),
    ...tools,
  })
const queue = () => enqueue(db, { kind: 'hang_up', callId: 'a-call' }, clock.now())
const attempts = async () =>
  (await db.query<{ attempts: number }>('select attempts from job')).map(job => job.attempts)
const never = () => new Promise<never>(() => undefined)
const unavailable = async () => {
  throw new Error('the carrier is unavailable')
}

test('work of a process that stops is due again at once, and the attempt does not count', async () => {
  await queue()
  const stopping = new AbortController()
  const begun = Promise.withResolvers<void>()
  const running = run({
    stopping: stopping.signal,
    hangUp: () => {
      begun.resolve()
      return never()
    },
  })
  await begun.promise
  expect(await attempts()).toEqual([1])
  stopping.abort()
  await running
  expect(await attempts()).toEqual([0])
  expect(failed).toEqual([])
  const hungUp: string[] = []
  expect(await run({ hangUp: async callId => void hungUp.push(callId) })).toBe(1)
  expect(hungUp).toEqual(['a-call'])
  expect(await attempts()).toEqual([])
})

test('a process that is stopping already begins nothing', async () => {
  await queue()
  const begun: string[] = []
  const hangUp = async (callId: string) => void begun.push(callId)
  expect(await run({ hangUp, stopping: AbortSignal.abort() })).toBe(1)
  expect(begun).toEqual([])
  expect(await attempts()).toEqual([0])
  expect(failed).toEqual([])
})

test('work that fails waits twice as long each time', async () => {
  await queue()
  for (const pauseMs of [2000, 4000, 8000]) {
    expect(await run({ hangUp: unavailable })).toBe(1)
    clock.advance(pauseMs - 1)
    expect(await run({ hangUp: unavailable })).toBe(0)
    clock.advance(1)
  }
  expect(failed.map(job => job.attempts)).toEqual([1, 2, 3])
})

test('nobody takes work that another process is at, until that process must be dead', async () => {
  await queue()
  const stopping = new AbortController()
  const running = run({ hangUp: never, stopping: stopping.signal })
  await expect.poll(attempts).toEqual([1])
  clock.advance(59_999)
  expect(await run({ hangUp: unavailable })).toBe(0)
  clock.advance(1)
  expect(await run({ hangUp: async () => undefined })).toBe(1)
  stopping.abort()
  await running
  expect(await attempts()).toEqual([])
})
