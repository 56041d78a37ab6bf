import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { UnredeemedGift } from '#lib/api/gifts.ts'
import { LeftBooklets } from './LeftBooklets.tsx'

const gift = (toName: string, amount: number, state: UnredeemedGift['state'] = 'ready') => ({
  toName,
  amount,
  state,
})

/** What a reader sees: without tags, single spaces. */
function shown(...booklets: readonly UnredeemedGift[]): string {
  return renderToString(createElement(LeftBooklets, { booklets }))
    .replace(/<!--.*?-->/g, '')
    .replace(/<\/?(bdi|span|a)[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
    .trim()
}

test('names the recipients of booklets and their sum, what becomes of them, and how to get a refund', () => {
  expect(shown()).toBe('')
  expect(shown(gift('Mum', 10))).toBe(
    "A booklet you sent hasn't been redeemed yet: for Mum, $10.00 Whoever has its code can still redeem it when you're gone. You won't see the code any more. Get its money back first if you want it.",
  )
  expect(shown(gift('Mum', 10), gift('', 5))).toMatch(
    /^2 booklets you sent, \$15\.00 in all, haven't been redeemed yet: for Mum, \$10\.00 for somebody, \$5\.00 Whoever has their codes/,
  )
  const many = Array.from({ length: 7 }, (_, n) => gift(`Aunt ${n}`, 5))
  expect(shown(...many)).toMatch(/^7 booklets you sent, \$35\.00 .* for Aunt 4, \$5\.00 and 2 more /)
})

test('says what stands in the way: a review, or a restricted account', () => {
  expect(shown(gift('Mum', 10), gift('Dad', 60, 'in_review'))).toContain('You can delete your account once')
  expect(shown(gift('Mum', 10, 'on_hold'))).toContain('Your account is restricted, so nobody can redeem it,')
})
