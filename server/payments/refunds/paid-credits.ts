/** Money in micro-dollars. */
export interface Movement {
  /** `claim`: a clawback or its reversal. `usage`: a charge or its correction. `gift`: credits not bought. */
  readonly kind: 'purchase' | 'claim' | 'usage' | 'gift'
  /** Id of the payment or call; a return is matched to what the same id took. */
  readonly about: string
  /** Positive: added to the balance. */
  readonly amountMicroUsd: number
}

interface Reclaimed {
  total: number
  /** The part of `total` that was paid credit. */
  paid: number
}

/**
 * The part of a balance that was bought and is unspent (ADR-49). Calls and clawbacks use bought credits before given
 * ones. A return restores given ones first, up to what was taken. So a gift never becomes paid credit, and spent paid
 * credit stays spent.
 * @param movements all movements of one balance, oldest first
 */
export function unspentPaid(movements: Iterable<Movement>): number {
  let [paid, given] = [0, 0]
  const reclaimed = new Map<string, Reclaimed>()

  const reclaim = (of: Reclaimed, amountMicroUsd: number) => {
    const fromPaid = Math.min(paid, amountMicroUsd)
    paid -= fromPaid
    given = Math.max(0, given - (amountMicroUsd - fromPaid))
    of.total += amountMicroUsd
    of.paid += fromPaid
  }
  /** @returns the excess over what had been taken */
  const giveBack = (of: Reclaimed, amountMicroUsd: number): number => {
    const returned = Math.min(amountMicroUsd, of.total)
    of.total -= returned
    const toPaid = Math.max(0, of.paid - of.total)
    of.paid -= toPaid
    paid += toPaid
    given += returned - toPaid
    return amountMicroUsd - returned
  }

  for (const { kind, about, amountMicroUsd } of movements) {
    if (kind === 'purchase') {
      paid += amountMicroUsd
      continue
    }
    if (kind === 'gift') {
      if (amountMicroUsd >= 0) given += amountMicroUsd
      else {
        const fromGiven = Math.min(given, -amountMicroUsd)
        given -= fromGiven
        paid = Math.max(0, paid + amountMicroUsd + fromGiven)
      }
      continue
    }
    const of = reclaimed.get(`${kind} ${about}`) ?? { total: 0, paid: 0 }
    reclaimed.set(`${kind} ${about}`, of)
    if (amountMicroUsd < 0) reclaim(of, -amountMicroUsd)
    else {
      const beyond = giveBack(of, amountMicroUsd)
      // A clawback of credits held for review returns them to a balance that never had them.
      if (kind === 'claim') paid += beyond
      else given += beyond
    }
  }
  return paid
}
