import type { ModelClaim, ModelPayment } from './money-model-parts.ts'

/** Late events do not undo a later state. */
export function advanceClaim(claim: ModelClaim, state: ModelClaim['state']): void {
  const further: Partial<Record<ModelClaim['state'], readonly ModelClaim['state'][]>> = {
    succeeded: ['pending'],
    failed: ['pending', 'succeeded'],
    lost: ['open'],
    won: ['open', 'lost'],
  }
  if (further[state]?.includes(claim.state) === true) claim.state = state
}

/**
 * Claws back what is claimed of a payment by now, and returns what no longer is.
 * @param spared the part of the losses that a failed refund does not restore
 * @returns what moves in the balance, of paid and of given credits
 */
export function settle(
  payment: ModelPayment,
  balance: number,
  spared: number,
): { paid: number; given: number } {
  const { clawedBack: taken } = payment
  const waits = payment.held > 0 && !payment.released
  const openClaims = payment.claims.filter(({ state }) => state !== 'failed' && state !== 'won')
  const amount = openClaims.reduce((sum, claim) => sum + claim.amount, 0)
  const share = Number((BigInt(payment.bonus) * BigInt(amount)) / BigInt(payment.amount))
  const bonus = waits ? 0 : Math.min(payment.bonus, share)
  const more = amount - taken.amount + (bonus - taken.bonus)
  let moved: { paid: number; given: number }
  if (more >= 0) {
    const fromHeld = waits ? Math.min(amount - taken.amount, payment.held - taken.held) : 0
    const fromBalance = Math.min(balance, more - fromHeld)
    taken.held += fromHeld
    taken.customer += fromBalance
    taken.lost += more - fromHeld - fromBalance
    const paid = Math.min(fromBalance, amount - taken.amount - fromHeld)
    moved = { paid: -paid, given: paid - fromBalance }
  } else {
    const toLosses = Math.min(Math.max(taken.lost - spared, 0), -more)
    const ofCustomer = taken.customer + (waits ? 0 : taken.held)
    const toCustomer = Math.min(ofCustomer, -more - toLosses)
    taken.lost -= toLosses
    taken.held -= -more - toLosses - Math.min(toCustomer, taken.customer)
    taken.customer -= Math.min(toCustomer, taken.customer)
    const paidBack = taken.amount - amount
    const paid = Math.min(toCustomer, paidBack - Math.min(toLosses, paidBack))
    moved = { paid, given: toCustomer - paid }
  }
  taken.amount = amount
  taken.bonus = bonus
  return moved
}
