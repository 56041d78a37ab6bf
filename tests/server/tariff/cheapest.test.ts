import { describe, expect, test } from 'vitest'
import { type CallCosts, callCostsOf, costOfCall, readOwnRows } from '#server/tariff/call-costs.ts'
import { cheapestCosts, costsForCallers } from '#server/tariff/cheapest.ts'

const list = (...rows: readonly string[]): CallCosts =>
  callCostsOf(readOwnRows(['prefixes,callers,usd_per_min', ...rows, ''].join('\n')), 'trunks')

const american = '+12125550199'
const [landline, mobile] = ['+442079460000', '+447700900123']

describe('the cheapest of several carriers', () => {
  test('is found where one of them lists a longer prefix', () => {
    const costs = cheapestCosts([list('44,,0.01'), list('44,,0.005', '447,,0.03')])
    expect(costOfCall(costs, landline, american)).toBe(5_000)
    // The second carrier's mobiles cost more than what the first one asks for every number.
    expect(costOfCall(costs, mobile, american)).toBe(10_000)
    const expensive = cheapestCosts([list('44,,0.04'), list('44,,0.005', '447,,0.03')])
    expect(costOfCall(expensive, mobile, american)).toBe(30_000)
  })

  test('has no cost for a number that no carrier lists', () => {
    const costs = cheapestCosts([list('447,,0.03'), list('49,,0.01')])
    expect(costOfCall(costs, mobile, american)).toBe(30_000)
    expect(costOfCall(costs, landline, american)).toBeUndefined()
  })

  test('depends on the number shown where one of them tells callers apart', () => {
    const costs = cheapestCosts([list('49,46 4,0.01', '49,,0.3'), list('49,,0.1', '4915,,0.2')])
    expect(costOfCall(costs, '+4930123456', '+46701740699')).toBe(10_000)
    expect(costOfCall(costs, '+4930123456', american)).toBe(100_000)
    expect(costOfCall(costs, '+4915123456789', american)).toBe(200_000)
    expect(costOfCall(costs, '+4915123456789', '+46701740699')).toBe(10_000)
  })

  test('is for every number and caller what the cheapest list says', () => {
    const lists = [
      list('1,,0.2', '12,1,0.1', '12,,0.3', '121,2 21,0.05'),
      list('1,2,0.15', '112,,0.01', '121,21,0.4', '1212,,0.35'),
      list('12,12 1,0.25', '2,1,0.01', '21,,0.02', '212,11,0.5'),
    ]
    const costs = cheapestCosts(lists)
    const digits = ['1', '2']
    const numbersOf = (length: number): readonly string[] =>
      length === 0 ? [''] : numbersOf(length - 1).flatMap(start => digits.map(digit => start + digit))
    for (const number of numbersOf(5)) {
      for (const caller of numbersOf(3)) {
        const each = lists.flatMap(one => costOfCall(one, number, caller) ?? [])
        const lowest = each.length === 0 ? undefined : Math.min(...each)
        expect(costOfCall(costs, number, caller), `${number} from ${caller}`).toBe(lowest)
      }
    }
  })
})

test('a list for our own numbers has no cost for others', () => {
  const own = costsForCallers(list('49,44,0.01', '49,,0.3', '4915,46,0.2'), ['+442079460000', '+46846500400'])
  expect(costOfCall(own, '+4930123456', '+442079460000')).toBe(10_000)
  expect(costOfCall(own, '+4930123456', '+46846500400')).toBe(300_000)
  expect(costOfCall(own, '+4915123456', '+442079460000')).toBe(10_000)
  expect(costOfCall(own, '+4915123456', '+46846500400')).toBe(200_000)
  expect(costOfCall(own, '+4930123456', american)).toBeUndefined()
})
