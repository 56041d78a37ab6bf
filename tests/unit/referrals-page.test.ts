import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { Referrals } from '#islands/referrals/Referrals.tsx'
import { $copied, $referrals, type Referrals as State } from '#stores/referrals.ts'

afterEach(() => {
  $referrals.set({ state: 'loading' })
  $copied.set('not_yet')
})

/** What a reader sees: without tags, single spaces. */
function textOf(state: State): string {
  $referrals.set(state)
  return renderToString(createElement(Referrals))
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

const nobody: Extract<State, { state: 'ready' }> = {
  state: 'ready',
  link: 'https://farline.example/?ref=abcdefgh',
  reward: 5,
  leastPayment: 10,
  joined: 0,
  paid: 0,
  earned: 0,
  people: [],
}

test('while it loads there is a heading, and nothing that may turn out to be wrong', () => {
  const text = textOf({ state: 'loading' })
  expect(text).toContain('Send someone a line')
  expect(text).not.toMatch(/\$\d|Who joined|Copy/)
})

test('what failed is said with a way to try again', () => {
  expect(textOf({ state: 'failed', message: 'We cannot reach the server.' })).toMatch(
    /We cannot reach the server\. Try again/,
  )
})

test('before anybody came there is the link and how it goes, with the figures of the server', () => {
  const text = textOf({ ...nobody, reward: 7.5, leastPayment: 20 })
  expect(text).toMatch(/Your link .*Copy/)
  expect(text).toContain('Their first payment of $20 or more earns.')
  expect(text).toContain('You get $7.50')
  expect(text).toContain('an account, card or device of your own earns nothing')
  expect(text).not.toContain('Who joined')
  expect(renderToString(createElement(Referrals))).toContain('value="https://farline.example/?ref=abcdefgh"')
})

test('who came stands with the day, the state and what it brought', () => {
  const person = (state: 'joined' | 'paid' | 'returned' | 'own', earned = 0) => ({
    email: `${state[0]}•••@e•••.com`,
    joinedAt: '2026-11-19T12:00:00.000Z',
    state,
    earned,
  })
  const people = [person('joined'), person('paid', 5), person('returned'), person('own')]
  const text = textOf({ ...nobody, joined: 120, paid: 1, earned: 5, people })
  expect(text).toContain('Joined 120 Bought 1 Earned $5.00')
  expect(text).toMatch(/j•••@e•••\.com [^@]*2026 Joined p•••@e•••\.com [^@]*Bought credits \+\$5\.00 r•••/)
  expect(text).toMatch(/Payment returned o•••@e•••\.com [^@]*A card or device of yours/)
  expect(text).toContain('The newest 4 of 120.')
})

test('copying is announced', () => {
  $copied.set('copied')
  $referrals.set(nobody)
  expect(renderToString(createElement(Referrals))).toMatch(/role="status">Link copied\./)
})
