import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Movement, unspentPaid } from './paid-credits.ts'

const bought = (amount: number, about = 'payment'): Movement => ({
  kind: 'purchase',
  about,
  amountMicroUsd: amount,
})
const called = (amount: number, about = 'call'): Movement => ({
  kind: 'usage',
  about,
  amountMicroUsd: -amount,
})
const corrected = (amount: number, about = 'call'): Movement => ({
  kind: 'usage',
  about,
  amountMicroUsd: amount,
})
const gave = (amount: number): Movement => ({ kind: 'gift', about: 'us', amountMicroUsd: amount })
const took = (amount: number, about = 'payment'): Movement => ({
  kind: 'claim',
  about,
  amountMicroUsd: -amount,
})
const returned = (amount: number, about = 'payment'): Movement => ({
  kind: 'claim',
  about,
  amountMicroUsd: amount,
})

describe('what of a balance was bought and is not used', () => {
  test.each<[string, Movement[], number]>([
    ['all that was bought', [bought(10)], 10],
    ['nothing that was given', [gave(5)], 0],
    ['less what calls used, which is bought credit first', [gave(5), bought(10), called(4)], 6],
    ['nothing once it is used, whatever is given then', [bought(5), called(5), gave(5)], 0],
    ['a purchase after gifts were used up is whole', [gave(5), called(5), bought(10)], 10],
    ['goodwill for a call does not buy it back', [bought(5), called(1), gave(1), called(1), gave(1)], 3],
    ['what a call was charged too much comes back', [bought(5), called(3), corrected(1)], 3],
    ['and to what was given first', [bought(2), gave(5), called(3), corrected(1)], 0],
    ['a refund that failed comes back', [bought(5), took(5), returned(5)], 5],
    ['a dispute that took gifts returns gifts', [bought(5), called(5), gave(5), took(5), returned(5)], 0],
    ['a claim on what waited for a review returns what was bought', [bought(5), returned(3)], 8],
    ['a bonus that goes takes from gifts first', [bought(50), gave(2), took(25), gave(-1)], 25],
    ['and from bought credit when no gift is left', [bought(5), gave(2), called(6), gave(-2)], 0],
  ])('%s', (_what, movements, expected) => {
    expect(unspentPaid(movements)).toBe(expected)
  })
})

/** Any story of a balance in which nothing is taken that is not there, and all refunds are within the rule. */
const stories = fc.array(
  fc.tuple(
    fc.constantFrom('buy', 'call', 'correct', 'give', 'refund', 'fail', 'dispute', 'win'),
    fc.integer({ min: 1, max: 100 }),
  ),
  { maxLength: 60 },
)

function play(story: readonly (readonly [string, number])[]) {
  const movements: Movement[] = []
  let [balance, refunded, purchased] = [0, 0, 0]
  const move = (...made: Movement[]) => {
    for (const one of made) balance += one.amountMicroUsd
    movements.push(...made)
  }
  const calls: number[] = []
  const refunds: number[] = []
  const disputes: number[] = []
  for (const [what, amount] of story) {
    const within = Math.min(amount, balance)
    if (what === 'buy') {
      move(bought(amount, `payment ${movements.length}`))
      purchased += amount
    }
    if (what === 'give') move(gave(amount))
    if (what === 'call' && within > 0) move(called(within, `call ${calls.push(within)}`))
    const last = calls.at(-1)
    if (what === 'correct' && last !== undefined && last > 0) {
      const back = Math.min(amount, last)
      calls[calls.length - 1] = last - back
      move(corrected(back, `call ${calls.length}`))
    }
    if (what === 'refund') {
      const asked = Math.min(amount, unspentPaid(movements))
      if (asked > 0) move(took(asked, `refund ${refunds.push(asked)}`))
      refunded += asked
    }
    const made = refunds.at(-1) ?? 0
    if (what === 'fail' && made > 0) {
      refunds[refunds.length - 1] = 0
      move(returned(made, `refund ${refunds.length}`))
      refunded -= made
    }
    if (what === 'dispute' && within > 0) move(took(within, `dispute ${disputes.push(within)}`))
    const disputed = disputes.at(-1) ?? 0
    if (what === 'win' && disputed > 0) {
      disputes[disputes.length - 1] = 0
      move(returned(disputed, `dispute ${disputes.length}`))
    }
  }
  return { movements, balance, refunded, purchased }
}

describe('over any story', () => {
  test('it is never more than the balance, and what went to cards never more than was paid', () => {
    fc.assert(
      fc.property(stories, story => {
        const { movements, balance, refunded, purchased } = play(story)
        const unspent = unspentPaid(movements)
        expect(unspent).toBeGreaterThanOrEqual(0)
        expect(unspent).toBeLessThanOrEqual(balance)
        expect(refunded + unspent).toBeLessThanOrEqual(purchased)
      }),
      { numRuns: 500 },
    )
  })

  test('gifts change nothing about what may go to a card', () => {
    fc.assert(
      fc.property(stories, story => {
        const { movements } = play(story)
        expect(unspentPaid(movements)).toBe(unspentPaid(movements.filter(({ kind }) => kind !== 'gift')))
      }),
      { numRuns: 500 },
    )
  })

  test('what went to cards is at most what was paid less what paid-for calls cost', () => {
    // Without disputes and corrections the rule is a walk that does not go below zero, which has a formula of its own.
    const plain = stories.map(story =>
      story.filter(([what]) => ['buy', 'call', 'give', 'refund'].includes(what)),
    )
    fc.assert(
      fc.property(plain, story => {
        const { movements } = play(story)
        let [sum, min, paidFor, refunded, purchased] = [0, 0, 0, 0, 0]
        for (const { kind, amountMicroUsd: amount } of movements) {
          if (kind === 'gift') continue
          if (kind === 'purchase') purchased += amount
          if (kind === 'claim') refunded -= amount
          if (kind === 'usage') paidFor += Math.min(-amount, sum - min)
          sum += amount
          min = Math.min(min, sum)
        }
        expect(unspentPaid(movements)).toBe(sum - min)
        expect(refunded).toBe(purchased - paidFor - (sum - min))
      }),
      { numRuns: 500 },
    )
  })
})
