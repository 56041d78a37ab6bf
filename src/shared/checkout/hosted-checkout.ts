import { type CheckoutReturn, createCheckoutSession } from '#lib/api/payments.ts'
import { creditsForUsd } from '#lib/money/credits.ts'
import { authorised } from '#session/api.ts'
import { $referralId } from '../referral-code.ts'
import { checkout } from './texts.ts'

export interface CheckoutOrder {
  /** Whole US dollars, 5 to 4000. */
  readonly usd: number
  readonly autoTopUpEnabled: boolean
  /** Where a cancelled checkout leads; Buy Credits by default. */
  readonly returnTo?: CheckoutReturn
}

/** `refused` and `signed_out` have a message to the user. */
export type HostedCheckout =
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'signed_out' | 'refused'; readonly message: string }

/** Opens the provider's checkout (SPEC-7.8). The server computes the credits and compares them with ours (PD-22). */
export async function openHostedCheckout({
  usd,
  autoTopUpEnabled,
  returnTo,
}: CheckoutOrder): Promise<HostedCheckout> {
  const result = await authorised(createCheckoutSession, {
    body: {
      amount: usd,
      credits: creditsForUsd(usd),
      referralId: $referralId.get(),
      autoTopUpEnabled,
      ...(returnTo && { returnTo }),
    },
  })
  if (result.ok) return { kind: 'open', url: result.value.url }
  if (result.status === 401) return { kind: 'signed_out', message: result.message }
  if (result.status === 0) return { kind: 'refused', message: checkout.failed }
  return { kind: 'refused', message: hasInstructions(result.code) ? result.message : checkout.noUrl }
}

/** Our own rejections have instructions. Any other answer should have had a URL. */
function hasInstructions(code: string): boolean {
  return code === 'too_many_requests' || Object.hasOwn(createCheckoutSession.errors, code)
}
