import { company } from '#lib/company.ts'
import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** @param givenUp micro-dollars lost from the balance @param held micro-dollars lost that were held for a review */
export function accountDeletedEmail(givenUp: number, held = 0): EmailTemplate & { readonly replyTo: string } {
  return {
    replyTo: company.supportEmail,
    subject: `Your ${company.name} account is deleted`,
    preview: 'What is gone, and what we have to keep.',
    heading: 'Your account is deleted',
    paragraphs: [
      `You asked for it, and it is done. ${lossText(givenUp, held)}`,
      'Gone: your name and password, the devices you were signed in on, your contacts, your caller IDs, your saved card, your referral link, and what you wrote about your calls. The records of your calls follow within a day, those of free calls within 30 days, because we count free calls.',
      'Kept, without your name or address: what was paid, charged and refunded, and the receipts with the last digits of the card. The law obliges us to keep accounts. For a year we keep a one-way hash of your address, by which we see that a first call is free once.',
      'You may sign up again with this address whenever you like, as a new customer.',
    ],
    footnote: `It was not you? Somebody knew your password, or used a device you were signed in on. Answer this message and we look into it.`,
  }
}

function lossText(givenUp: number, held: number): string {
  const waited = `${formatBalance(held)} of credits that waited for a review`
  if (givenUp === 0)
    return held === 0 ? 'There were no credits on your balance.' : `${waited} are given up with it.`
  const lost = `${formatBalance(givenUp)} of credits were on your balance and are given up`
  return held === 0 ? `${lost}.` : `${lost}, and so are ${waited}.`
}
