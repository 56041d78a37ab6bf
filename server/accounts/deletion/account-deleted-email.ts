import { company } from '#lib/company.ts'
import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import type { UnredeemedGift } from '../../payments/payments.ts'
import { mail } from './account-deleted-texts.ts'

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
    subject: mail.subject({ company: company.name }),
    preview: mail.preview,
    heading: mail.heading,
    paragraphs: [
      lossText(givenUp, held),
      ...(booklets.length === 0 ? [] : [bookletsText(booklets)]),
      mail.gone,
      mail.kept,
      mail.again,
    ],
    footnote: mail.footnote,
  }
}

function bookletsText(booklets: readonly UnredeemedGift[]): string {
  const sum = formatBalance(booklets.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0))
  const count = booklets.length
  return booklets.every(({ state }) => state === 'ready')
    ? mail.bookletsReady({ count, sum })
    : mail.bookletsStopped({ count, sum })
}

function lossText(givenUp: number, held: number): string {
  const left = formatBalance(givenUp)
  if (held === 0) return givenUp === 0 ? mail.lostNothing : mail.lostBalance({ left })
  const heldText = formatBalance(held)
  return givenUp > 0 ? mail.lostBoth({ left, held: heldText }) : mail.lostHeld({ held: heldText })
}
