import { microUsdPerUsd } from './money.ts'

/** How long after a payment its unused part may be asked back on the billing page (specification section 1). */
export const refundDays = 7
const refundMs = refundDays * 24 * 3600 * 1000

/** Cards are given whole cents. */
const cent = microUsdPerUsd / 100

/** The last moment at which a refund of a payment may be asked for. */
export function refundableUntil(paidAt: Date): Date {
  return new Date(paidAt.getTime() + refundMs)
}

/** A paid payment as its refund needs it. Money in micro-dollars. */
export interface Refundable {
  readonly amount: number
  /** The bonus that came onto the balance with it; 0 while that waits for a review. */
  readonly bonus: number
  /** Taken back so far, by refunds and disputes. */
  readonly takenBack: number
  readonly bonusTakenBack: number
  /** What of it waits for a review, which nobody can have used. */
  readonly waiting: number
  readonly balance: number
}

/**
 * How much of a payment is unused, in whole cents: what is left of it, as far as the balance holds it together with its
 * part of the bonus. Credits on the balance count as this payment's first, so what was used was anything else.
 * @returns micro-dollars that go back to the card, and what leaves the balance for them; never more than that holds
 */
export function unusedPart(payment: Refundable): { amount: number; fromBalance: number } {
  const { amount, bonus, takenBack, balance, waiting } = payment
  const bonusWith = (refund: number) => share(bonus, takenBack + refund, amount) - payment.bonusTakenBack
  const fromBalance = (refund: number) => Math.max(refund - waiting, 0) + Math.max(bonusWith(refund), 0)
  const covered = waiting + share(balance, amount, amount + bonus)
  let unused = wholeCents(Math.min(amount - takenBack, covered))
  // The bonus is split in whole micro-dollars too, so a cent may be missing.
  while (unused > 0 && fromBalance(unused) > balance) unused -= cent
  return unused > 0 ? { amount: unused, fromBalance: fromBalance(unused) } : { amount: 0, fromBalance: 0 }
}

/** `of` times `part` by `whole`, rounded down, where the product may be beyond what a number holds exactly. */
function share(of: number, part: number, whole: number): number {
  return Number((BigInt(of) * BigInt(part)) / BigInt(whole))
}

function wholeCents(microUsd: number): number {
  return Math.floor(microUsd / cent) * cent
}
