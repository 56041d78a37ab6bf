import { bonusCredits } from '#lib/money/credits.ts'
import { type PricePolicy, pricePolicy } from '../config/policy.ts'
import type { CostBasis } from './call-costs.ts'
import type { Margins } from './compare.ts'

/** What a price must cover. @param purchaseUsd whole US dollars @param percent profit */
export function marginsOf(
  { browserLegMicroUsd, card }: PricePolicy,
  purchaseUsd: number,
  percent = 0,
): Margins {
  const feeCents = Math.ceil(purchaseUsd * card.percent + card.fixedCents)
  return { percent, legMicroUsd: browserLegMicroUsd, card: { feeCents, purchaseCents: purchaseUsd * 100 } }
}

/** Margins that the launch gate requires; no call is sold below them. */
export const ownMargins = marginsOf(pricePolicy, pricePolicy.purchaseUsd)

/** Over trunks we carry the browser's leg ourselves. */
export const trunkPolicy: PricePolicy = { ...pricePolicy, browserLegMicroUsd: 0 }

export const trunkMargins = marginsOf(trunkPolicy, trunkPolicy.purchaseUsd)

/** What no call is sold below. */
export function marginsFor(basis: CostBasis): Margins {
  return basis === 'trunks' ? trunkMargins : ownMargins
}

/** The same for a purchase with a bonus: more credits for the same payment. */
export function marginsWithBonus(policy: PricePolicy, purchaseUsd: number): Margins {
  const { card, ...rest } = marginsOf(policy, purchaseUsd)
  const creditCents = (purchaseUsd + bonusCredits(purchaseUsd)) * 100
  return {
    ...rest,
    card: { feeCents: creditCents - (card.purchaseCents - card.feeCents), purchaseCents: creditCents },
  }
}
