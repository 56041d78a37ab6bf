import { afterEach, expect, test, vi } from 'vitest'
import { callHeadline, printedLink, shareDataOf, shareText } from './share-call.ts'

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
  expect(shareText({ ...call, lessThanStamp: false }, 'x')).not.toContain('stamp')
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
