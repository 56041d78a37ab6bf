import { redeemLink } from '#lib/money/gift-code.ts'
import { accountDeletedEmail } from '../accounts/deletion/account-deleted-email.ts'
import { googleLinkedEmail, setAsideEmail } from '../accounts/google/google-emails.ts'
import { passwordChangedEmail, resetPasswordEmail } from '../accounts/password/password-emails.ts'
import {
  addressChangedEmail,
  addressInUseEmail,
  changeAddressEmail,
} from '../accounts/profile/address-change-emails.ts'
import { alreadyRegisteredEmail, confirmAddressEmail } from '../accounts/registration/registration-emails.ts'
import { codesTriedEmail } from '../accounts/second-factor/codes-tried-email.ts'
import { secondFactorEmail } from '../accounts/second-factor/second-factor-emails.ts'
import { newSignInEmail, replayEmail } from '../accounts/sign-in/sign-in-emails.ts'
import { lowBalanceEmail } from '../calls/settlement/low-balance-email.ts'
import { type EmailTemplate, emailHtml, emailText } from '../mail/layout.ts'
import type { InboxMail } from '../mail/local-inbox.ts'
import {
  autoTopUpLimitEmail,
  autoTopUpReceipt,
  failedTopUpEmail,
} from '../payments/emails/auto-top-up-emails.ts'
import { fraudWarningEmail } from '../payments/emails/fraud-warning-email.ts'
import { type PaidPayment, receiptEmail } from '../payments/emails/receipt-email.ts'
import { refundEmail } from '../payments/emails/refund-email.ts'
import { releaseEmail } from '../payments/emails/release-email.ts'
import {
  envelopeEmail,
  giftReadyEmail,
  giftReceiptEmail,
  giftRedeemedEmail,
} from '../payments/gifts/gift-emails.ts'
import { reconciliationEmail } from '../reconciliation/reconciliation-email.ts'
import { referralEmail } from '../referrals/referral-email.ts'
import { supportEmail } from '../support/support-email.ts'

const usd = 1_000_000
const reader = 'anna@example.com'
const signIn = { device: 'Chrome on macOS', at: new Date('2026-01-20T15:02:00Z') }
const paid: PaidPayment = {
  id: '00000000-0000-4000-8000-000000000000',
  kind: 'checkout',
  amount_micro_usd: 50 * usd,
  bonus: 2.5 * usd,
  held: 0,
  held_for: null,
  receipt: 231,
  paid_at: new Date('2026-01-20T13:58:00Z'),
  card_brand: 'visa',
  card_last4: '4242',
}
const booklet: PaidPayment = { ...paid, kind: 'gift', amount_micro_usd: 25 * usd, bonus: 0 }
const failedCharge = {
  amountMicroUsd: 25 * usd,
  card: { brand: 'visa', last4: '4242' },
  balance: 1.4 * usd,
  paused: false,
}

function samples(url: string): Readonly<Record<string, EmailTemplate & { readonly replyTo?: string }>> {
  return {
    confirmAddressEmail: confirmAddressEmail(url, 'sample'),
    alreadyRegisteredEmail: alreadyRegisteredEmail(url),
    googleLinkedEmail: googleLinkedEmail(url),
    setAsideEmail: setAsideEmail(url),
    'setAsideEmail-mail': setAsideEmail(url, 'mail'),
    newSignInEmail: newSignInEmail(url, signIn),
    replayEmail: replayEmail(url, signIn),
    resetPasswordEmail: resetPasswordEmail(url, reader, 'sample'),
    'resetPasswordEmail-disputed': resetPasswordEmail(url, reader, 'sample', 'disputed'),
    passwordChangedEmail: passwordChangedEmail(url, 'changed'),
    'passwordChangedEmail-reset': passwordChangedEmail(url, 'reset'),
    'passwordChangedEmail-google': passwordChangedEmail(url, 'reset_from_google'),
    'passwordChangedEmail-first': passwordChangedEmail(url, 'first'),
    secondFactorEmail: secondFactorEmail(url, {
      what: 'passkey_added',
      name: 'My telephone',
      at: signIn.at,
    }),
    'secondFactorEmail-recovery': secondFactorEmail(url, {
      what: 'recovery_code_used',
      left: 9,
      at: signIn.at,
    }),
    codesTriedEmail: codesTriedEmail(url, signIn.at),
    'secondFactorEmail-reset': secondFactorEmail(url, { what: 'reset', at: signIn.at }),
    changeAddressEmail: changeAddressEmail(url, 'sample'),
    'changeAddressEmail-google': changeAddressEmail(url, 'sample', true),
    addressInUseEmail: addressInUseEmail(url),
    addressChangedEmail: addressChangedEmail(),
    accountDeletedEmail: accountDeletedEmail(12.4 * usd),
    receiptEmail: receiptEmail(url, paid, 'Anna Berg'),
    'receiptEmail-held': receiptEmail(
      url,
      { ...paid, amount_micro_usd: 600 * usd, bonus: 60 * usd, held: 100 * usd, held_for: 'amount' },
      null,
    ),
    'receiptEmail-card': receiptEmail(url, { ...paid, held: 50 * usd, held_for: 'card' }, null),
    fraudWarningEmail: fraudWarningEmail(url, paid, 50 * usd),
    refundEmail: refundEmail(url, paid, { amountMicroUsd: 48 * usd, state: 'succeeded' }),
    'refundEmail-failed': refundEmail(url, paid, { amountMicroUsd: 48 * usd, state: 'failed' }),
    releaseEmail: releaseEmail(url, 110 * usd),
    giftReceiptEmail: giftReceiptEmail(url, booklet, { to_name: 'Mum' }, 'Ana Lopez'),
    'giftReceiptEmail-held': giftReceiptEmail(url, { ...booklet, held: 25 * usd }, { to_name: 'Mum' }, null),
    giftReadyEmail: giftReadyEmail(url, { to_name: 'Mum' }, 25 * usd),
    envelopeEmail: envelopeEmail({
      fromName: 'Ana',
      toName: 'Mum',
      message: 'So that you can call me on Sundays.',
      amountMicroUsd: 25 * usd,
      code: 'K7QM2F9XTB4C0WZ8RN5A',
      link: redeemLink(url, 'K7QM2F9XTB4C0WZ8RN5A'),
    }),
    giftRedeemedEmail: giftRedeemedEmail(url, { to_name: 'Mum' }, 25 * usd),
    lowBalanceEmail: lowBalanceEmail(url, 1.96 * usd),
    'lowBalanceEmail-empty': lowBalanceEmail(url, 0),
    autoTopUpReceipt: autoTopUpReceipt(url, paid, null),
    failedTopUpEmail: failedTopUpEmail(url, { ...failedCharge, reason: 'declined' }),
    'failedTopUpEmail-paused': failedTopUpEmail(url, {
      ...failedCharge,
      reason: 'authentication_required',
      paused: true,
    }),
    autoTopUpLimitEmail: autoTopUpLimitEmail(url, 1.4 * usd, 'limit'),
    referralEmail: referralEmail(url, 5 * usd),
    supportEmail: supportEmail('F-2026-0117', {
      formId: paid.id,
      name: 'Anna Berg',
      email: reader,
      about: 'call',
      message: 'My mother hears me with a delay of two seconds.\n\nIt began this morning.',
    }),
    reconciliationEmail: reconciliationEmail({
      transfers: 1204,
      compared: 37,
      notCompared: 0,
      differences: [{ kind: 'payment', text: `payment ${paid.id}: paid at the provider, not credited here` }],
    }),
  }
}

export function sampleMails(publicUrl: string): InboxMail[] {
  return Object.entries(samples(publicUrl)).map(([id, template]) => ({
    id,
    to: reader,
    replyTo: template.replyTo ?? null,
    subject: template.subject,
    text: emailText(template),
    html: emailHtml(template),
    sentAt: (paid.paid_at ?? new Date(0)).toISOString(),
  }))
}
