import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import type { Reply } from '#lib/api/endpoint.ts'
import type { ReferralState, referrals } from '#lib/api/referrals.ts'
import { setStore } from '#support/set-store.ts'
import { Referrals } from './Referrals.tsx'
import { $copied, $referrals, type Referrals as State } from './referrals.ts'
import { stateTexts } from './texts.ts'

afterEach(() => {
  setStore($referrals, { state: 'loading' })
  setStore($copied, 'not_yet')
})

/** What a reader sees: without tags, single spaces. */
function textOf(state: State): string {
  setStore($referrals, state)
  return renderToString(createElement(Referrals))
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

const nobody: Reply<typeof referrals> = {
  link: 'https://farline.example/?ref=abcdefgh',
  reward: 5,
  leastPayment: 10,
  monthlyMost: 50,
  joined: 0,
  paid: 0,
  earned: 0,
  people: [],
}
const ready = (part: Partial<typeof nobody> = {}): State => ({
  state: 'ready',
  value: { ...nobody, ...part },
})

test('while it loads there is a heading, and nothing that may turn out to be wrong', () => {
  const text = textOf({ state: 'loading' })
  expect(text).toContain('Send someone a line')
  expect(text).not.toMatch(/\$\d|Who joined|Copy/)
})

test('shows what failed, with a way to try again', () => {
  expect(textOf({ state: 'failed', message: 'We cannot reach the server.' })).toMatch(
    /We cannot reach the server\. Try again/,
  )
})

test('before anybody came there is the link and how it goes, with the figures of the server', () => {
  const text = textOf(ready({ reward: 7.5, leastPayment: 20, monthlyMost: 75 }))
  expect(text).toMatch(/Your link .*Copy/)
  expect(text).toContain(
    'A payment of $20 or more earns your reward 7 days later, once they can no longer ask for a refund.',
  )
  expect(text).toContain('You get $7.50')
  expect(text).toContain('once per person, up to $75 a month')
  expect(text).toContain('your own account, card, device or mailbox earns nothing')
  expect(text).toContain('not have it paid to a card')
  expect(text).not.toContain('Who joined')
  expect(renderToString(createElement(Referrals))).toContain('value="https://farline.example/?ref=abcdefgh"')
})

test('shows each friend with the day, the state of the reward, and why there is none', () => {
  const person = (state: ReferralState, part: { earned?: number; dueAt?: string } = {}) => ({
    email: `${state}@e`,
    joinedAt: '2026-11-19T12:00:00.000Z',
    state,
    dueAt: null,
    earned: 0,
    ...part,
  })
  const people = [
    person('joined'),
    person('pending', { dueAt: '2026-11-27T12:00:00.000Z' }),
    person('in_review'),
    person('paid', { earned: 5 }),
    ...(['returned', 'own', 'repeated', 'over_cap', 'gone'] as const).map(state => person(state)),
  ]
  const text = textOf(ready({ joined: 120, paid: 1, earned: 5, people }))
  expect(text).toContain('Joined 120 Rewards 1 Earned $5.00')
  expect(text).toMatch(/pending@e [^@]*2026 Bought credits \$5 on [^@]*27[^@]*in_review@e/)
  expect(text).toMatch(/paid@e [^@]*Reward given \+\$5\.00/)
  for (const [state, label] of Object.entries(stateTexts)) {
    expect(text).toMatch(new RegExp(`${state}@e [^@]*2026 ${label}`))
  }
  expect(text).toContain('The newest 9 of 120.')
})

test('copying is announced', () => {
  setStore($copied, 'copied')
  setStore($referrals, ready())
  expect(renderToString(createElement(Referrals))).toMatch(/role="status">Link copied\./)
})
