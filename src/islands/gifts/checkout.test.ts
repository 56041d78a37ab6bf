import { expect, test } from 'vitest'
import type { GiftRecord } from '#lib/api/gifts.ts'
import { faultIn, faultsIn, noFaults } from './checkout.ts'
import { aboutText, stateText } from './wording.ts'

const draft = { amount: '10', toName: 'Mum', fromName: 'Ana', message: '', recipientEmail: '' }

test('an envelope needs an amount and two names', () => {
  expect(faultsIn(draft)).toEqual(noFaults)
  expect(faultIn('toName', ' ')).toBe('Who is it for?')
  expect(faultIn('fromName', '')).toBe('Who is it from? Your first name is enough.')
  for (const amount of ['', '4', '201', '7.5']) expect(faultIn('amount', amount)).toMatch(/\$5 to \$200/)
  for (const amount of ['5', '200']) expect(faultIn('amount', amount)).toBeNull()
  expect(faultIn('recipientEmail', 'mum')).toMatch(/needs an @/)
  expect(faultIn('recipientEmail', ' mum@example.com ')).toBeNull()
  expect(faultIn('message', 'x'.repeat(201))).toMatch(/200/)
})

test('a message carries no link to a stranger', () => {
  for (const text of ['see https://a.example', 'www.example', 'win at prize.com now']) {
    expect(faultIn('message', text)).toMatch(/web addresses/)
  }
  for (const text of ['at 5.30 p.m.', 'Dr. Meyer']) expect(faultIn('message', text)).toBeNull()
})

test('a booklet says what became of it, and what to do', () => {
  const gift: GiftRecord = {
    ...{ id: 'one', state: 'ready', amount: 10, fromName: 'Ana', toName: 'Mum', message: '' },
    ...{ recipientEmail: null, mailed: null, code: 'K7QM', paidAt: '2026-11-24T10:00:00Z', redeemedAt: null },
  }
  expect([stateText(gift), aboutText(gift)]).toEqual([
    'Not redeemed yet',
    'Print the envelope, or copy the link and pass it on.',
  ])
  const unmailed = { ...gift, recipientEmail: 'mum@example.com', mailed: false }
  expect(aboutText(unmailed)).toContain("We couldn't mail it to mum@example.com")
  expect(aboutText({ ...gift, code: null })).toContain('ask for a refund')
  expect(stateText({ ...gift, state: 'redeemed', redeemedAt: '2026-11-25T10:00:00Z' })).toMatch(
    /^Redeemed on .*25/,
  )
})
