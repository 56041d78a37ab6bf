import { afterEach, expect, test, vi } from 'vitest'
import {
  backLines,
  callHeadline,
  cardText,
  printedLink,
  ringText,
  shareDataOf,
  shareText,
} from './share-call.ts'

const call = { country: { name: 'India', isoCode: 'IN' }, minutes: 12, lessThanStamp: true }
const picture = new File(['x'], 'call.png', { type: 'image/png' })

afterEach(() => {
  vi.unstubAllGlobals()
})

test('says how long and which country, and the referral link', () => {
  expect(shareText(call, 'https://farline.example/?ref=abc')).toBe(
    'India, 12 minutes, less than a stamp. I called with Farline. Your first call is free: https://farline.example/?ref=abc',
  )
  expect(callHeadline({ ...call, minutes: 1 })).toBe('India, 1 minute')
})

test('claims less than a stamp only where it is true', () => {
  const costly = { ...call, lessThanStamp: false }
  expect(shareText(costly, 'x')).not.toContain('stamp')
  expect(backLines(call).join(' ')).toBe('Call home for less than a stamp.')
  expect(backLines(costly).join(' ')).toBe('Call home from your browser.')
})

test('names the link on the back for what it is', () => {
  const address = 'https://farline.example'
  expect(cardText(call, { address, isReferral: true })).toContain('On its back is your referral link.')
  expect(cardText(call, { address, isReferral: false })).toBe(
    'A postcard: India, 12 minutes. On its back is our address.',
  )
})

test('prints the link without what everybody knows', () => {
  expect(printedLink('https://farline.example/?ref=abc')).toBe('farline.example?ref=abc')
  expect(printedLink('https://farline.example/')).toBe('farline.example')
})

test('shares the picture where the browser can, else the text, else neither', () => {
  vi.stubGlobal('navigator', { share: () => undefined, canShare: () => true })
  expect(shareDataOf('text', picture)).toEqual({ text: 'text', files: [picture] })
  vi.stubGlobal('navigator', { share: () => undefined, canShare: () => false })
  expect(shareDataOf('text', picture)).toEqual({ text: 'text' })
  vi.stubGlobal('navigator', {})
  expect(shareDataOf('text', picture)).toBeNull()
})

test('a postmark has 22 letters of a name, none without its vowel signs', () => {
  expect(ringText('United States')).toBe('UNITED STATES')
  expect(ringText('সেন্ট ভিনসেন্ট ও গ্রেনাডিনস')).toBe('সেন্ট ভিনসেন্ট ও গ্রেনাডিনস')
  expect(ringText('मि'.repeat(30))).toBe('मि'.repeat(22))
})
