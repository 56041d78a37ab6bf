import type { ModelPayment } from './money-model-parts.ts'

/** What a booklet adds to its payment (ADR-65). Money in micro-dollars. */
export interface ModelGift {
  readonly code: string
  /** What waits in the account `gifts`. */
  unredeemed: number
  /** What refunds and disputes have taken from there. */
  takenBack: number
  redeemed: { readonly by: string; readonly amount: number } | undefined
}

export const awaitsReview = ({ state, held, released }: ModelPayment) =>
  state === 'paid' && held > 0 && !released

export const isDisputed = ({ claims }: ModelPayment) =>
  claims.some(({ kind, state }) => kind === 'dispute' && state !== 'won')

/**
 * Like `settle`, for a booklet: takes what is held, then what is unredeemed, then the buyer's balance. The redeemer
 * keeps the credits.
 * @returns what moves in the buyer's balance
 */
export function settleGift(payment: ModelPayment, gift: ModelGift, balance: number, spared: number): number {
  const { clawedBack: taken } = payment
  const openClaims = payment.claims.filter(({ state }) => state !== 'failed' && state !== 'won')
  const amount = openClaims.reduce((sum, claim) => sum + claim.amount, 0)
  const more = amount - taken.amount
  taken.amount = amount
  if (more >= 0) {
    const fromHeld = awaitsReview(payment) ? Math.min(more, payment.held - taken.held) : 0
    const fromGift = Math.min(more - fromHeld, gift.unredeemed)
    const fromBuyer = Math.min(more - fromHeld - fromGift, balance)
    taken.held += fromHeld
    taken.customer += fromBuyer
    taken.lost += more - fromHeld - fromGift - fromBuyer
    gift.unredeemed -= fromGift
    gift.takenBack += fromGift
    return -fromBuyer
  }
  const toLosses = Math.min(Math.max(taken.lost - spared, 0), -more)
  const waits = awaitsReview(payment)
  const ofOwners = Math.max(taken.customer + gift.takenBack + (waits ? 0 : taken.held), 0)
  const toOwners = Math.min(ofOwners, -more - toLosses)
  const toBuyer = gift.redeemed === undefined ? Math.min(Math.max(taken.customer, 0), toOwners) : toOwners
  taken.lost -= toLosses
  taken.customer -= toBuyer
  taken.held -= -more - toLosses - toOwners
  gift.takenBack -= toOwners - toBuyer
  gift.unredeemed += toOwners - toBuyer
  return toBuyer
}
