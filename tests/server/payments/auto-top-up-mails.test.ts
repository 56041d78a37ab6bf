import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { formatBalance } from '#lib/money/money.ts'
import { inLanguage, openLanguages } from '#server/languages/languages.ts'
import { autoTopUpReceipt, failedTopUpEmail } from '#server/payments/emails/auto-top-up-emails.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const folders = readdirSync(join(root, 'src', 'languages'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)
openLanguages()

const payment = {
  id: '00000000-0000-4000-8000-000000000000',
  kind: 'auto_topup',
  amount_micro_usd: 50_000_000,
  bonus: 0,
  held: 0,
  held_for: null,
  receipt: 1,
  paid_at: new Date('2026-01-20T15:02:00Z'),
  card_brand: 'visa',
  card_last4: '4242',
} as const
const failed = {
  amountMicroUsd: 50_000_000,
  card: { brand: 'visa', last4: '4242' },
  balance: 1_000_000,
  reason: 'declined',
  paused: false,
} as const

test.each(['en', ...folders])('mails of auto top-up say the balance at which it happens: %s', language => {
  const texts = inLanguage(language, () => ({
    low: formatBalance(lowBalanceMicroUsd),
    receipt: autoTopUpReceipt('https://farline.example', payment, null).paragraphs[0],
    failure: failedTopUpEmail('https://farline.example', failed).paragraphs[0],
  }))
  expect(texts.receipt).toContain(texts.low)
  expect(texts.failure).toContain(texts.low)
})

test('no translation of those mails has that balance in words of its own', () => {
  const files = [
    'server/payments/emails/auto-top-up-mail-texts.ts',
    ...folders.map(folder => `src/languages/${folder}/auto-top-up-mails.json`),
  ]
  for (const file of files) expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/\d[.,]\d\d/)
})
