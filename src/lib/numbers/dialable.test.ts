import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLongEnoughForRate, keepDialable } from './dialable.ts'

describe('what the field keeps', () => {
  test.each([
    ['+44 20 7946 0958', '+442079460958'],
    ['(212) 555-0100', '2125550100'],
    ['212.555.0100 ext', '2125550100'],
    ['+44 (0)20 7946+0958', '+4402079460958'],
    ['tel: +49 30 123456', '+4930123456'],
    ['20+', '20'],
    ['++44', '+44'],
    ['＋４４ ２０', '+4420'],
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['०१२३४५६७८९', '0123456789'],
    ['+০১২৩৪৫৬৭৮৯', '+0123456789'],
    ['௦௧௨௩௪௫௬௭௮௯', '0123456789'],
    ['𝟎𝟏𝟗𝟘𝟙𝟡', '019019'],
    ['\u202a+1 212\u00a0555\u200b0100\u202c', '+12125550100'],
    ['*#', ''],
    ['½ ² Ⅷ ①', ''],
    ['', ''],
  ])('of %j is %j', (text, kept) => {
    expect(keepDialable(text)).toBe(kept)
  })

  test('is digits with at most a leading plus, for any text, and does not change a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
        const kept = keepDialable(text)
        expect(kept).toMatch(/^\+?[0-9]*$/)
        expect(keepDialable(kept)).toBe(kept)
      }),
      { seed: 34, numRuns: 2000 },
    )
  })
})

describe('what is no number', () => {
  test('has no rate looked up under four characters', () => {
    expect(isLongEnoughForRate('+44')).toBe(false)
    expect(isLongEnoughForRate('2 1 2')).toBe(false)
    expect(isLongEnoughForRate('+442')).toBe(true)
  })
})
