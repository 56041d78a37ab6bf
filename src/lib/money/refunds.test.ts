import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { vatWithin } from './receipts.ts'
import { type Refundable, refundableUntil, unusedPart } from './refunds.ts'

const usd = (dollars: number) => Math.round(dollars * 1_000_000)
const fresh = { clawedBack: 0, bonusClawedBack: 0, waiting: 0, bonus: 0, unspent: Number.MAX_SAFE_INTEGER }

describe('what is unused of a payment', () => {
  test.each<[string, Partial<Refundable> & { amountMicroUsd: number; balance: number }, number, number]>([
    ['all of it, bonus and all', { amountMicroUsd: usd(50), bonus: usd(2), balance: usd(52) }, 50, 52],
    [
      'what the balance holds, and the bonus in proportion',
      { amountMicroUsd: usd(50), bonus: usd(2), balance: usd(26) },
      25,
      26,
    ],
    [
      'bought credits that are left, and the bonus in proportion',
      { amountMicroUsd: usd(50), bonus: usd(2), balance: usd(26), unspent: usd(24) },
      24,
      24.96,
    ],
    ['nothing of what was given', { amountMicroUsd: usd(5), balance: usd(5), unspent: 0 }, 0, 0],
    [
      'what waits for a review, whatever was given meanwhile',
      { amountMicroUsd: usd(600), balance: usd(500), waiting: usd(100), unspent: usd(20) },
      120,
      20,
    ],
    ['no more than was paid', { amountMicroUsd: usd(10), balance: usd(300) }, 10, 10],
    ['nothing once it is used', { amountMicroUsd: usd(10), balance: usd(0.009) }, 0, 0],
    ['whole cents', { amountMicroUsd: usd(10), balance: usd(3.4567) }, 3.45, 3.45],
    [
      'not what was taken back before',
      { amountMicroUsd: usd(10), balance: usd(20), clawedBack: usd(4) },
      6,
      6,
    ],
    ['all that waits for a review', { amountMicroUsd: usd(600), balance: 0, waiting: usd(100) }, 100, 0],
    [
      'what waits and what the balance holds',
      { amountMicroUsd: usd(600), balance: usd(500), waiting: usd(100) },
      600,
      500,
    ],
  ])('%s', (_what, part, amountUsd, fromBalance) => {
    expect(unusedPart({ ...fresh, ...part })).toEqual({
      amountMicroUsd: usd(amountUsd),
      fromBalance: usd(fromBalance),
    })
  })

  test('is never more than is left, never more than the balance holds, and a cent more would be', () => {
    const payments = fc
      .record({
        dollars: fc.integer({ min: 5, max: 4000 }),
        percent: fc.constantFrom(0, 5, 10),
        balance: fc.integer({ min: 0, max: usd(9000) }),
        takenCents: fc.nat(400_000),
        given: fc.nat(usd(100)),
      })
      .map(({ dollars, percent, balance, takenCents, given }) => {
        const amountMicroUsd = usd(dollars)
        const bonus = usd(Math.floor((dollars * percent) / 100))
        const clawedBack = Math.min(takenCents * 10_000, amountMicroUsd)
        const bonusClawedBack = Number((BigInt(bonus) * BigInt(clawedBack)) / BigInt(amountMicroUsd))
        const unspent = Math.max(0, balance - given)
        return { amountMicroUsd, bonus, clawedBack, bonusClawedBack, waiting: 0, balance, unspent }
      })
    fc.assert(
      fc.property(payments, payment => {
        const unused = unusedPart(payment)
        expect(unused.amountMicroUsd % 10_000).toBe(0)
        expect(unused.amountMicroUsd).toBeLessThanOrEqual(payment.amountMicroUsd - payment.clawedBack)
        expect(unused.amountMicroUsd).toBeLessThanOrEqual(payment.unspent)
        expect(unused.fromBalance).toBeLessThanOrEqual(payment.balance)
        const more = unused.amountMicroUsd + 20_000
        const bonusOfMore =
          Number(
            (BigInt(payment.bonus) * BigInt(payment.clawedBack + more)) / BigInt(payment.amountMicroUsd),
          ) - payment.bonusClawedBack
        expect(
          payment.clawedBack + more > payment.amountMicroUsd ||
            more > payment.unspent ||
            more + bonusOfMore > payment.balance,
        ).toBe(true)
      }),
    )
  })
})

test('it may be asked for seven days long', () => {
  expect(refundableUntil(new Date('2026-11-21T10:00:00Z'))).toEqual(new Date('2026-11-28T10:00:00Z'))
})

describe('VAT', () => {
  const rules = [
    { from: '2026-01-01', number: 'GB1', percent: 20 },
    { from: '2026-07-01', number: 'GB2', percent: 17.5 },
    { from: '2027-01-01', number: '', percent: 0 },
  ]
  test.each([
    ['2025-12-31T23:59:59Z', null],
    ['2026-01-01T00:00:00Z', { number: 'GB1', percent: 20, amountMicroUsd: usd(8.33) }],
    ['2026-12-31T23:59:59Z', { number: 'GB2', percent: 17.5, amountMicroUsd: usd(7.45) }],
    ['2027-01-01T00:00:00Z', null],
  ])('of a payment at %s follows the rule of its day', (paidAt, expected) => {
    expect(vatWithin(usd(50), new Date(paidAt), rules)).toEqual(expected)
  })
  test('is none without a rule', () => {
    expect(vatWithin(usd(50), new Date(), [])).toBeNull()
  })
})
