import { expect, test } from 'vitest'
import { maxCharactersAtOnce, maxCharactersTyped, type RealTimeText } from '#lib/calls/real-time-text.ts'
import { openLine } from './t140.ts'
import {
  charactersLeft,
  markSent,
  newCharacters,
  nextSending,
  noText,
  receiveText,
  sendAgain,
  type TextDelivery,
  typeText,
} from './text-delivery.ts'

const theirs = ({ typed }: TextDelivery) => openLine(typed, 'theirs')

test('what is typed leaves in the order of its indices, at most so much at once', () => {
  const typed = typeText(noText, 'x'.repeat(maxCharactersAtOnce + 5))
  expect(nextSending(typed)).toEqual({ typed: 'x'.repeat(maxCharactersAtOnce), from: 0 })
  const rest = markSent(typed)
  expect(nextSending(rest)).toEqual({ typed: 'xxxxx', from: maxCharactersAtOnce })
  expect(nextSending(markSent(rest))).toBeUndefined()
})

test('acknowledgements free what has come; without them everything after the last is sent again', () => {
  const sent = markSent(typeText(noText, 'Hello'))
  const half = receiveText(sent, { received: 2 })
  expect(half).toMatchObject({ confirmed: 2, sent: 3, unconfirmed: ['l', 'l', 'o'] })
  expect(nextSending(half)).toBeUndefined()
  expect(nextSending(sendAgain(half))).toEqual({ typed: 'llo', from: 2 })
  for (const received of [0, 1, 2, 6]) expect(receiveText(half, { received })).toBe(half)
})

test('a message that came twice counts once, and one with a gap before it not at all', () => {
  const one = receiveText(noText, { typed: 'Hel', from: 0 })
  expect(receiveText(one, { typed: 'Hel', from: 0 })).toEqual(one)
  expect(receiveText(one, { typed: 'o', from: 4 })).toEqual(one)
  expect(newCharacters(one, { typed: 'ello', from: 1 })).toEqual(['l', 'o'])
  expect(theirs(receiveText(one, { typed: 'ello', from: 1 }))).toBe('Hello')
})

test('a side can type so much in a call and no more', () => {
  const full = typeText(noText, 'x'.repeat(maxCharactersTyped + 1))
  expect(charactersLeft(full)).toBe(0)
  expect(openLine(full.typed, 'own')).toHaveLength(maxCharactersTyped)
  expect(typeText(full, 'y')).toEqual(full)
})

/** A line that loses, doubles and holds back messages by a fixed sequence of numbers (Lehmer). */
function createBadLine(seed: number) {
  let state = seed
  const chance = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const waiting: RealTimeText[] = []
  return {
    put(message: RealTimeText) {
      if (chance() < 0.3) return
      waiting.push(message)
      if (chance() < 0.2) waiting.push(message)
    },
    take: () => (chance() < 0.5 ? waiting.shift() : undefined),
    chance,
  }
}

test.each([1, 2, 3, 4, 5])(
  'over a line that loses and doubles messages all text arrives, once (%i)',
  seed => {
    const [there, back] = [createBadLine(seed), createBadLine(seed + 100)]
    const text = 'The quick brown fox 🦊 jumps over the lazy dog. '.repeat(20)
    let [me, other] = [noText, noText]
    const characters = [...text]
    for (let step = 0; step < 20_000 && theirs(other) !== text; step += 1) {
      if (characters.length > 0) me = typeText(me, openLine(me.typed, 'own') + characters.shift())
      const message = nextSending(me)
      if (message !== undefined) {
        there.put(message)
        me = markSent(me)
      } else if (there.chance() < 0.1) me = sendAgain(me)
      const arrived = there.take()
      if (arrived !== undefined) {
        other = receiveText(other, arrived)
        back.put({ received: other.received })
      }
      const ack = back.take()
      if (ack !== undefined) me = receiveText(me, ack)
    }
    expect(theirs(other)).toBe(text)
  },
)
