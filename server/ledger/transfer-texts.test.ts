import { expect, test } from 'vitest'
import { formatCard, formatReceipt } from '#lib/money/receipts.ts'
import { transferKindOf, transferLabel } from './transfer-texts.ts'

test.each([
  ['payment:p', 5, 'payment', 'Credits bought'],
  ['bonus:p', 5, 'bonus', 'Bonus credits'],
  ['release:p', 5, 'released', 'Credits released after review'],
  ['call:c:12', -5, 'call', 'Call, minute 12'],
  ['call:c:settlement', 5, 'call_settled', 'Call, minute returned'],
  ['call:c:settlement', -5, 'call_settled', 'Call, settled'],
  ['refund:re_1', -5, 'refund', 'Refund to your card'],
  ['refund:re_1:bonus', -5, 'refund', 'Bonus of a refunded payment'],
  ['release-bonus:p:bonus', -5, 'refund', 'Bonus of a refunded payment'],
  ['refund:re_1:failed', 5, 'refund_failed', 'Refund did not go through'],
  ['dispute:dp_1', -5, 'dispute', 'Disputed payment'],
  ['dispute:dp_1:won', 5, 'dispute_won', 'Dispute settled'],
  ['dispute:dp_1:won:bonus', 5, 'dispute_won', 'Bonus returned'],
  ['referral:r', 5, 'referral', 'Referral reward'],
  ['referral:r:back:2', -5, 'referral', 'Referral reward taken back'],
  ['referral:r:again:3', 5, 'referral', 'Referral reward restored'],
  ['adjustment:a', 5, 'adjustment', 'Credit from support'],
  ['adjustment:a', -5, 'adjustment', 'Correction by support'],
] as const)('%s of %d is a %s: %s', (key, amountMicroUsd, kind, description) => {
  expect(transferKindOf(key, false)).toBe(kind)
  expect(transferLabel(kind, key, amountMicroUsd)).toBe(description)
})

test('labels an automatic payment as such', () => {
  expect(transferLabel(transferKindOf('payment:p', true), 'payment:p', 5)).toBe('Auto top-up')
})

test('a receipt has the year it was written in, in UTC, and a card its last digits', () => {
  expect(formatReceipt(31, new Date('2026-12-31T23:59:59Z'))).toBe('F-2026-0031')
  expect(formatReceipt(12_345, new Date('2026-01-01T00:00:00Z'))).toBe('F-2026-12345')
  expect(formatCard('visa', '4242')).toBe('Visa ending 4242')
})
