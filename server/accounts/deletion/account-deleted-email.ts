import { company } from '#lib/company.ts'
import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import type { UnredeemedGift } from '../../payments/payments.ts'

/**
 * @param givenUp micro-dollars lost from the balance @param held micro-dollars lost that were held for a review
 * @param booklets those that nobody has redeemed: support can still refund them
 */
export function accountDeletedEmail(
  givenUp: number,
  held = 0,
  booklets: readonly UnredeemedGift[] = [],
): EmailTemplate & { readonly replyTo: string } {
  return {
    replyTo: company.supportEmail,
    subject: `Your ${company.name} account has been deleted`,
    preview: "What's gone, and what we have to keep.",
    heading: 'Your account has been deleted',
    paragraphs: [
      `As you asked, we've deleted your account. ${lossText(givenUp, held)}`,
      ...(booklets.length === 0 ? [] : [bookletsText(booklets)]),
      'Gone: your name and password, your devices, your contacts, your caller IDs, your saved card, your referral link, and your feedback on calls. Your call records will be deleted within a day. Records of free calls stay for up to 30 days, because we count free calls.',
      'Kept, without your name or address: what was paid, charged and refunded, and receipts with the last digits of the card. The law requires us to keep these. For a year we also keep a one-way hash of your address, so that each person gets one free first call.',
      "You're welcome to sign up again with this address at any time, as a new customer.",
    ],
    footnote: `Wasn't you? Somebody knew your password or used a device you were logged in on. Reply to this e-mail and we'll look into it.`,
  }
}

function bookletsText(booklets: readonly UnredeemedGift[]): string {
  const sum = formatBalance(booklets.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0))
  const one = booklets.length === 1
  const which = one
    ? `A booklet of ${sum} that you sent hasn't been redeemed yet.`
    : `${booklets.length} booklets that you sent, ${sum} in all, haven't been redeemed yet.`
  const [it, code] = one ? ['it', 'its code'] : ['them', 'their codes']
  const works = booklets.every(({ state }) => state === 'ready')
    ? `Whoever has ${code} can still redeem ${it}.`
    : `Your account was restricted, so nobody can redeem ${it}.`
  return `${which} ${works} If you'd rather have the money back, reply to this e-mail with the number of the receipt.`
}

function lossText(givenUp: number, held: number): string {
  if (givenUp === 0 && held === 0) return 'There were no credits left in your balance.'
  const parts = [
    givenUp > 0 ? `the ${formatBalance(givenUp)} of credits left in your balance` : '',
    held > 0 ? `${formatBalance(held)} of credits that were under review` : '',
  ]
  return `You lose ${parts.filter(part => part !== '').join(' and ')}.`
}
