import { atom } from 'nanostores'
import { afterEach, beforeEach, vi } from 'vitest'
import { $notice, dismissNotice } from '#islands/dialler/notice.ts'
import type { EndReason, RejectedKind } from '#lib/calls/end-reasons.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'
import { exampleCallee, exampleRecord } from './example-call.ts'

/** What a test is to mock the page's call with. */
export const $call = atom<Call>(noCall)

/** What the server answers by path, and the paths that were requested. */
export const server = {
  asked: [] as string[],
  answers: {} as Readonly<Record<string, () => Promise<Response>>>,
}
export const timesAsked = (path: string) => server.asked.filter(each => each === path).length
export const unreachable = () => Promise.reject(new TypeError('failed to fetch'))
export const said = () => $notice.get()?.text ?? null

vi.useFakeTimers()
vi.spyOn(console, 'error').mockImplementation(() => undefined)
// Somebody who has signed in before: the page may ask for a token.
vi.stubGlobal('document', { cookie: 'signed-in=yes', documentElement: { dataset: {} } })
vi.stubGlobal('fetch', (path: string) => {
  if (path === '/api/auth/refresh-token') return Promise.resolve(Response.json({ token: 'a.b.c' }))
  server.asked.push(path)
  return server.answers[path]?.() ?? Promise.resolve(Response.json({}, { status: 404 }))
})

/** Before each test the server has the record of the call `c1`, and nothing is shown. */
export function keepRecord(): void {
  beforeEach(() => {
    server.asked = []
    server.answers = { '/api/calls/c1': async () => Response.json(exampleRecord) }
    dismissNotice()
  })
  afterEach(() => vi.advanceTimersByTimeAsync(200_000))
}

let attempt = 0
function happen(event: CallEvent): void {
  $call.set(step($call.get(), event))
}
/** @param callId if the server names the call before it is answered */
export function dial(callId?: string): void {
  attempt += 1
  happen({ kind: 'dialled', attempt, callee: exampleCallee })
  if (callId !== undefined) happen({ kind: 'identified', attempt, callId })
}
export function pickUp(): void {
  happen({ kind: 'answered', attempt, atMs: 0 })
}
export function endWith(endReason: EndReason): void {
  happen({ kind: 'ended', attempt, endReason, atMs: 11_400 })
}
export function end(kind: Exclude<EndReason['kind'], RejectedKind>): void {
  endWith({ kind })
}
