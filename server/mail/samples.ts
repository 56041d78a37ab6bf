import { accountDeletedLetter } from './account-deleted-letter.ts'
import { newSignInLetter, replayLetter } from './account-letters.ts'
import { autoTopUpLimitLetter, autoTopUpReceipt, failedTopUpLetter } from './auto-top-up-letters.ts'
import { addressTakenLetter, changeEmailLetter, emailChangedLetter } from './email-change-letters.ts'
import { googleLinkedLetter, setAsideLetter } from './google-letters.ts'
import { type Letter, letterHtml, letterText } from './layout.ts'
import { alreadyRegisteredLetter, confirmEmailLetter, supportLetter } from './letters.ts'
import type { InboxMail } from './local-inbox.ts'
import { lowBalanceLetter } from './low-balance-letter.ts'
import { passwordChangedLetter, resetPasswordLetter } from './password-letters.ts'
import { type PaidPayment, receiptLetter } from './receipt-letter.ts'
import { reconciliationLetter } from './reconciliation-letter.ts'
import { referralLetter } from './referral-letter.ts'
import { refundLetter } from './refund-letter.ts'
import { releaseLetter } from './release-letter.ts'

const usd = 1_000_000
const reader = 'anna@example.com'
const signIn = { device: 'Chrome on macOS', at: new Date('2026-01-20T15:02:00Z') }
const paid: PaidPayment = {
  id: '00000000-0000-4000-8000-000000000000',
  amount: 50 * usd,
  bonus: 2.5 * usd,
  held: 0,
  receipt: 231,
  paid_at: new Date('2026-01-20T13:58:00Z'),
  card_brand: 'visa',
  card_last4: '4242',
}
const failedCharge = {
  amount: 25 * usd,
  card: { brand: 'visa', last4: '4242' },
  balance: 1.4 * usd,
  paused: false,
}

/** Every letter with made-up figures, named after the function that writes it. */
function samples(url: string): Readonly<Record<string, Letter & { readonly replyTo?: string }>> {
  return {
    confirmEmailLetter: confirmEmailLetter(url, 'sample'),
    alreadyRegisteredLetter: alreadyRegisteredLetter(url),
    googleLinkedLetter: googleLinkedLetter(url),
    setAsideLetter: setAsideLetter(url),
    'setAsideLetter-mail': setAsideLetter(url, 'mail'),
    newSignInLetter: newSignInLetter(url, signIn),
    replayLetter: replayLetter(url, signIn),
    resetPasswordLetter: resetPasswordLetter(url, reader, 'sample'),
    'resetPasswordLetter-disputed': resetPasswordLetter(url, reader, 'sample', 'disputed'),
    passwordChangedLetter: passwordChangedLetter(url, 'changed'),
    'passwordChangedLetter-reset': passwordChangedLetter(url, 'reset'),
    'passwordChangedLetter-google': passwordChangedLetter(url, 'reset_from_google'),
    'passwordChangedLetter-first': passwordChangedLetter(url, 'first'),
    changeEmailLetter: changeEmailLetter(url, 'sample'),
    'changeEmailLetter-google': changeEmailLetter(url, 'sample', true),
    addressTakenLetter: addressTakenLetter(url),
    emailChangedLetter: emailChangedLetter(),
    accountDeletedLetter: accountDeletedLetter(12.4 * usd),
    receiptLetter: receiptLetter(url, paid, 'Anna Berg'),
    'receiptLetter-held': receiptLetter(
      url,
      { ...paid, amount: 600 * usd, bonus: 60 * usd, held: 100 * usd },
      null,
    ),
    refundLetter: refundLetter(url, paid, { amount: 48 * usd, state: 'succeeded' }),
    'refundLetter-failed': refundLetter(url, paid, { amount: 48 * usd, state: 'failed' }),
    releaseLetter: releaseLetter(url, 110 * usd),
    lowBalanceLetter: lowBalanceLetter(url, 1.96 * usd),
    'lowBalanceLetter-empty': lowBalanceLetter(url, 0),
    autoTopUpReceipt: autoTopUpReceipt(url, paid, null),
    failedTopUpLetter: failedTopUpLetter(url, { ...failedCharge, reason: 'declined' }),
    'failedTopUpLetter-paused': failedTopUpLetter(url, {
      ...failedCharge,
      reason: 'authentication_required',
      paused: true,
    }),
    autoTopUpLimitLetter: autoTopUpLimitLetter(url, 1.4 * usd, 'limit'),
    referralLetter: referralLetter(url, 5 * usd),
    supportLetter: supportLetter('F-2026-0117', {
      formId: paid.id,
      name: 'Anna Berg',
      email: reader,
      about: 'call',
      message: 'My mother hears me with a delay of two seconds.\n\nIt began this morning.',
    }),
    reconciliationLetter: reconciliationLetter({
      transfers: 1204,
      compared: 37,
      notCompared: 0,
      differences: [
        { kind: 'payment', words: `payment ${paid.id}: paid at the provider, not credited here` },
      ],
    }),
  }
}

/** The samples as the local inbox would show them, in the order of a customer's life. */
export function sampleMails(publicUrl: string): InboxMail[] {
  return Object.entries(samples(publicUrl)).map(([id, letter]) => ({
    id,
    to: reader,
    replyTo: letter.replyTo ?? null,
    subject: letter.subject,
    text: letterText(letter),
    html: letterHtml(letter),
    sentAt: (paid.paid_at ?? new Date(0)).toISOString(),
  }))
}
