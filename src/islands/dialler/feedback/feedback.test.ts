import { atom } from 'nanostores'
import { beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#lib/api/me.ts'
import { exampleCallee as callee } from '#support/example-call.ts'
import { exampleUser } from '#support/example-user.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'

const line = vi.hoisted(() => ({ $call: undefined as unknown }))
vi.mock('../call/call.ts', () => line)
const $call = atom<Call>(noCall)
line.$call = $call

freshBrowser()
localStorage.setItem('token', tokenFor(900))
const { createFeedback } = await import('./feedback.ts')
const { $user } = await import('#session/user.ts')
const { setNumber } = await import('../number/dial.ts')

const callId = '7f0c2f9e-58a4-4f0c-9d3e-0d9c1f5b8a11'
const user: User = { ...exampleUser, hide: true }

let drawn = 0
let status = 204
let sent: unknown[] = []
let waits: { readonly ms: number; readonly callback: () => void }[] = []
const opened: string[] = []
const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
let answerNow: Promise<void> = Promise.resolve()
/** How long the server needs to say who the user is. */
let userNow: Promise<void> = Promise.resolve()
let outlives: boolean | undefined

vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
  if (path === '/api/site') return Response.json({ localInbox: true, reviewUrl: '/dev/review', google: true })
  if (path === '/api/protected/me') {
    await userNow
    return Response.json({ ...user, has_submitted_feedback: true })
  }
  if (path === '/api/auth/refresh-token') return new Response(null, { status: 401 })
  sent.push({ path, body: JSON.parse(String(init.body)) })
  outlives = init.keepalive
  await answerNow
  return new Response(null, { status })
})

const feedback = createFeedback({
  chance: () => drawn,
  wait: (ms, callback) => {
    waits.push({ ms, callback })
  },
  openTab: address => opened.push(address),
})
feedback.follow()

let attempt = 0
function happen(event: CallEvent): void {
  $call.set(step($call.get(), event))
}
function holdCall(): void {
  attempt += 1
  happen({ kind: 'dialled', attempt, callee })
  happen({ kind: 'identified', attempt, callId })
  happen({ kind: 'answered', attempt, atMs: 0 })
}
function end(): void {
  happen({ kind: 'ended', attempt, endReason: { kind: 'caller_hung_up' }, atMs: 40_000 })
}
/** A call ends, the server settles it, and the page asks who the user is. */
function callAs(settled: User): void {
  holdCall()
  end()
  $user.set({ ...settled })
}
const pass = (ms: number) => {
  const due = waits.filter(wait => wait.ms === ms)
  waits = waits.filter(wait => wait.ms !== ms)
  for (const { callback } of due) callback()
}
const state = () => feedback.$prompt.get().state

beforeEach(() => {
  drawn = 0
  status = 204
  sent = []
  waits = []
  opened.length = 0
  answerNow = Promise.resolve()
  userNow = Promise.resolve()
  feedback.close()
  $user.set(user)
  logged.mockClear()
})

test('asks a user marked hide about that call after it is settled', () => {
  holdCall()
  end()
  expect(state()).toBe('closed')
  $user.set({ ...user })
  expect(feedback.$prompt.get()).toEqual({ state: 'asking', callId })
})

test('asks once about a call, and not about the one before a call that has begun', () => {
  callAs(user)
  feedback.close()
  $user.set({ ...user })
  expect(state()).toBe('closed')

  holdCall()
  end()
  holdCall()
  $user.set({ ...user })
  expect(state()).toBe('closed')
  drawn = 1
  end()
})

test('does not ask whoever has entered the next number, or closed what was open, before it could', () => {
  holdCall()
  end()
  setNumber('212')
  $user.set({ ...user })
  expect(state()).toBe('closed')
  holdCall()
  end()
  feedback.close()
  $user.set({ ...user })
  expect(state()).toBe('closed')
})

test('asks a user who becomes marked by this very call', () => {
  $user.set({ ...user, hide: false })
  callAs(user)
  expect(state()).toBe('asking')
})

test.each([
  ['is not marked hide', { hide: false }],
  ['has submitted feedback', { has_submitted_feedback: true }],
])('does not ask a user who %s', (_, change) => {
  callAs({ ...user, ...change })
  expect(state()).toBe('closed')
})

test.each([
  [0, 'asking'],
  [0.2999, 'asking'],
  [0.3, 'closed'],
  [0.9999, 'closed'],
])('a chance of three in ten: %s leaves it %s', (value, expected) => {
  drawn = value
  callAs(user)
  expect(state()).toBe(expected)
})

test('does not ask about an unanswered call', () => {
  attempt += 1
  happen({ kind: 'dialled', attempt, callee })
  end()
  $user.set({ ...user })
  expect(state()).toBe('closed')
})

test('the next call removes the question', () => {
  callAs(user)
  holdCall()
  expect(state()).toBe('closed')
  $user.set({ ...user })
  expect(state()).toBe('closed')
  drawn = 1
  end()
})

test('the answer is sent with its call, thanked for, and the thanks go after 1.5 s', async () => {
  callAs(user)
  await feedback.submit({ score: 3, issue: 'choppy-audio' })
  expect(sent).toEqual([{ path: '/api/feedback', body: { score: 3, issue: 'choppy-audio', callId } }])
  expect(state()).toBe('thanks')
  pass(1500)
  expect(state()).toBe('closed')
  expect(outlives).toBe(true)
  await vi.waitFor(() => expect($user.get()?.has_submitted_feedback).toBe(true))
  callAs($user.get() ?? user)
  expect(state()).toBe('closed')
})

test('sends only the score of a call that has no name', async () => {
  attempt += 1
  happen({ kind: 'dialled', attempt, callee })
  happen({ kind: 'answered', attempt, atMs: 0 })
  end()
  $user.set({ ...user })
  await feedback.submit({ score: 4 })
  expect(sent).toEqual([{ path: '/api/feedback', body: { score: 4 } }])
})

test('thanks that were closed close nothing that came after them', async () => {
  callAs(user)
  await feedback.submit({ score: 4 })
  feedback.close()
  callAs(user)
  pass(1500)
  expect(state()).toBe('asking')
})

test('rejected feedback logs nobody out', async () => {
  status = 401
  callAs(user)
  await feedback.submit({ score: 1 })
  expect(localStorage.getItem('token')).not.toBeNull()
  expect(state()).toBe('thanks')
})

test('a failure is only logged; the thanks show all the same', async () => {
  status = 500
  callAs(user)
  await feedback.submit({ score: 1 })
  expect(state()).toBe('thanks')
  expect(logged).toHaveBeenCalledWith('The feedback could not be sent: internal (status 500)')
})

test('the review site opens once the feedback has arrived', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  answerNow = promise
  // What follows for the user is not waited for.
  const userLoaded = Promise.withResolvers<void>()
  userNow = userLoaded.promise
  callAs(user)
  const reviewing = feedback.submitAndReview({ score: 5 })
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(opened).toEqual([])
  expect(state()).toBe('thanks')
  resolve()
  await reviewing
  expect(opened).toEqual(['/dev/review'])
  userLoaded.resolve()
})

test('a slow answer does not keep it waiting for longer than a browser allows', async () => {
  answerNow = new Promise(() => undefined)
  callAs(user)
  const reviewing = feedback.submitAndReview({ score: 5 })
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  pass(800)
  await reviewing
  expect(opened).toEqual(['/dev/review'])
})

test('sends nothing after it was closed', async () => {
  callAs(user)
  feedback.close()
  await feedback.submit({ score: 2 })
  await feedback.submitAndReview({ score: 2 })
  expect(sent).toEqual([])
  expect(opened).toEqual([])
})
