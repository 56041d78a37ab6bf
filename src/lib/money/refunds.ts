import { microUsdPerUsd } from './money.ts'

/** Days after a payment in which its unused part can be refunded on the billing page (SPEC-1.3). */
export const refundDays = 7
const refundMs = refundDays * 24 * 3600 * 1000

/** Cards are refunded in whole cents. */
const cent = microUsdPerUsd / 100

export function refundableUntil(paidAt: Date): Date {
  return new Date(paidAt.getTime() + refundMs)
}

/** Money in micro-dollars. */
export interface Refundable {
  readonly amountMicroUsd: number
  /** Bonus credited with the payment; 0 while held for review. */
  readonly bonus: number
  readonly clawedBack: number
  readonly bonusClawedBack: number
  /** Held for review, so certainly unused. */
  readonly waiting: number
  readonly balance: number
  /** Bought and unspent part of the balance (`paid-credits.ts`); given credits are never refunded to a card. */
  readonly unspent: number
}

/**
 * The refundable part of a payment in whole cents: what remains of it, limited by the unspent bought credits and by the
 * balance, which must also cover the payment's share of the bonus. Usage counts against other purchases first.
 * @returns micro-dollars returned to the card, and debited from the balance (never more than it holds)
 */
export function unusedPart(payment: Refundable): { amountMicroUsd: number; fromBalance: number } {
  const { amountMicroUsd, bonus, clawedBack, balance, unspent, waiting } = payment
  const bonusWith = (refund: number) =>
    share(bonus, clawedBack + refund, amountMicroUsd) - payment.bonusClawedBack
  const fromBalance = (refund: number) => Math.max(refund - waiting, 0) + Math.max(bonusWith(refund), 0)
  const covered = waiting + Math.min(unspent, share(balance, amountMicroUsd, amountMicroUsd + bonus))
  let unused = wholeCents(Math.min(amountMicroUsd - clawedBack, covered))
  // The bonus is split in whole micro-dollars, so the sum may exceed the balance slightly.
  while (unused > 0 && fromBalance(unused) > balance) unused -= cent
  return unused > 0
    ? { amountMicroUsd: unused, fromBalance: fromBalance(unused) }
    : { amountMicroUsd: 0, fromBalance: 0 }
}

/** `of` × `part` / `whole`, rounded down; the product may exceed the safe integers. */
function share(of: number, part: number, whole: number): number {
  return Number((BigInt(of) * BigInt(part)) / BigInt(whole))
}

function wholeCents(microUsd: number): number {
  return Math.floor(microUsd / cent) * cent
}
