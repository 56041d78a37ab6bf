import { atom } from 'nanostores'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { exampleCallee as callee } from '#support/example-call.ts'
import { exampleUser } from '#support/example-user.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'

const line = vi.hoisted(() => ({ $call: undefined as unknown }))
vi.mock('./call/call.ts', () => line)
const $call = atom<Call>(noCall)
line.$call = $call
const { followBalance } = await import('./call/balance.ts')
const { $user } = await import('#session/user.ts')
const { $freeCall, markFreeCallRejected } = await import('./call/free-call.ts')
const { $session } = await import('#session/session.ts')
const { markTestCall } = await import('./call/is-test-call.ts')
const { TopBar: TopLine } = await import('./TopBar.tsx')

const user = { ...exampleUser, has_used_free_call: false }
followBalance()

beforeEach(() => {
  $user.set(user)
  $call.set(noCall)
})

function happen(event: CallEvent): void {
  $call.set(step($call.get(), event))
}
function answer(rateMicroUsd: number): void {
  happen({ kind: 'dialled', attempt: 1, callee })
  happen({ kind: 'priced', attempt: 1, rateMicroUsd })
  happen({ kind: 'answered', attempt: 1, atMs: performance.now() })
}
const pill = () => renderToStaticMarkup(createElement(TopLine))

test('shows a free call in the pill, before and during it', () => {
  expect(pill()).toContain('Free Call Available')
  happen({ kind: 'dialled', attempt: 1, callee })
  happen({ kind: 'priced', attempt: 1, rateMicroUsd: 0 })
  expect(pill()).toContain('Free Call Available')
  answer(0)
  expect(pill()).toContain('>Free call<')
  $user.set({ ...user, has_used_free_call: true })
  $call.set(noCall)
  expect(pill()).toContain('Balance: $5.00')
})

test('a test call is free as well, and leaves the free call where it is', () => {
  happen({ kind: 'dialled', attempt: 1, callee })
  markTestCall($call.get())
  answer(0)
  expect(pill()).toContain('Free Call Available')
  $call.set(noCall)
  happen({ kind: 'dialled', attempt: 2, callee })
  happen({ kind: 'priced', attempt: 2, rateMicroUsd: 0 })
  happen({ kind: 'answered', attempt: 2, atMs: performance.now() })
  expect(pill()).toContain('>Free call<')
})

test('a call that is charged leaves the free call where it is', () => {
  answer(20_000)
  expect(pill()).toContain('Free Call Available')
})

test('does not repeat a promise that the server did not keep: the pill shows the balance', () => {
  markFreeCallRejected()
  expect(pill()).toContain('Balance: $')
  // Somebody else's turn: of them nothing is known.
  $session.set({ status: 'signed_in', token: 'a.b.c' })
  $session.set({ status: 'signed_out' })
  expect($freeCall.get()).toBe(false)
  $user.set(user)
  expect($freeCall.get()).toBe(true)
})

test('the pill of a low balance differs, and credits are for sale: in a call in another tab', () => {
  $session.set({ status: 'signed_in', token: 'a.b.c' })
  const used = { ...user, has_used_free_call: true }
  $user.set({ ...used, credits: 2.01 })
  const enough = pill()
  $user.set({ ...used, credits: 2 })
  expect(pill().replace('2.00', '2.01')).not.toBe(enough)
  expect(pill()).toContain('<a href="/buy-credits">Buy Credits')
  answer(20_000)
  expect(pill()).toMatch(/href="\/buy-credits" target="_blank"/)
})

test('the balance has two decimals and never a cent that is not there', () => {
  for (const [credits, shown] of [
    [7, '$7.00'],
    [4.999999, '$4.99'],
    [0.0184, '$0.01'],
    [0, '$0.00'],
  ] as const) {
    $user.set({ ...user, has_used_free_call: true, credits })
    expect(pill()).toContain(`Balance: ${shown}`)
  }
})
