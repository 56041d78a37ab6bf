import { describe, expect, test } from 'vitest'
import { capRoom, monthOf, readCap } from './spending.ts'

describe('the time that caps leave a call', () => {
  test.each([
    [{ perCall: null, perMonth: null }, 0, { minutes: Number.POSITIVE_INFINITY, cap: null }],
    [{ perCall: 50_000, perMonth: null }, 0, { minutes: 2, cap: 'call' }],
    [{ perCall: 50_000, perMonth: 60_000 }, 0, { minutes: 2, cap: 'call' }],
    [{ perCall: 50_000, perMonth: 60_000 }, 40_000, { minutes: 1, cap: 'month' }],
    [{ perCall: 19_999, perMonth: null }, 0, { minutes: 0, cap: 'call' }],
    // Lowered below what was spent already.
    [{ perCall: null, perMonth: 10_000 }, 40_000, { minutes: 0, cap: 'month' }],
  ] as const)('%j with %i spent', (caps, spent, room) => {
    expect(capRoom(caps, spent, 20_000)).toEqual(room)
  })
})

test('a month is one of UTC, also over the end of a year', () => {
  expect(monthOf(new Date('2026-12-31T23:59:59.999Z'))).toEqual({
    from: new Date('2026-12-01T00:00:00Z'),
    to: new Date('2027-01-01T00:00:00Z'),
  })
  expect(monthOf(new Date('2027-01-01T01:30:00+02:00')).from).toEqual(new Date('2026-12-01T00:00:00Z'))
})

describe('a cap as it is typed', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['5', 5],
    ['2,50', 2.5],
    ['$ 0.01', 0.01],
    ['１０', 10],
    ['10000', 10_000],
    ['٢٫٥٠', 2.5],
    ['۲۵', 25],
    ['২৫', 25],
  ])('%j is %j', (text, usd) => {
    expect(readCap(text)).toEqual({ ok: true, usd })
  })

  test.each(['0', '0.00', '0.005', '10000.01', '-1', 'five', '1.000,50', '1e3', 'Infinity'])(
    'rejects %j',
    text => {
      expect(readCap(text)).toMatchObject({ ok: false })
    },
  )
})
