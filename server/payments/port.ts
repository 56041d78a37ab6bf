import type { Result } from '#lib/result.ts'

/** Who takes the cards. Vendor words stop behind this file. */
export type PaymentProvider = 'local' | 'stripe'

/** What a hosted checkout is asked to sell. */
export interface CheckoutOrder {
  /** Our id of the payment, a UUID: asked again with it, the provider makes nothing twice. */
  readonly paymentId: string
  readonly userId: string
  readonly email: string
  /** Whole US dollars in micro-dollars. */
  readonly amountMicroUsd: number
  /** What the buyer reads beside the amount. */
  readonly description: string
  /** Whether the buyer lets us keep the card, for charges while they are away. */
  readonly savesCard: boolean
  /** The provider's name for this customer, once there is one. */
  readonly customerRef: string | null
  readonly successUrl: string
  readonly cancelUrl: string
  /**
   * When it ends unpaid: 30 minutes to 24 hours after it is opened. The same whenever it is asked for again, as all of
   * an order: a provider refuses its key with another order.
   */
  readonly expiresAt: Date
}

export interface OpenedCheckout {
  readonly checkoutRef: string
  /** Where the buyer's browser goes. */
  readonly url: string
}

/** A card that was kept, by the provider's names for it. */
export interface KeptCard {
  readonly customerRef: string
  readonly methodRef: string
}

export interface SavedCardCharge extends KeptCard {
  readonly paymentId: string
  readonly userId: string
  readonly amountMicroUsd: number
  readonly description: string
}

/** What is known of a charge whose answer was lost. */
export interface AskedCharge {
  readonly paymentId: string
  readonly customerRef: string
  /** Before it was asked for. */
  readonly since: Date
}

/** Why a card was not charged, for good: asked again at once it would say the same. */
export type CardRefusal = 'declined' | 'authentication_required' | 'card_gone'

/** Not reached, or over its limits: the same request with the same key may be made again. */
export type ProviderTrouble = 'provider_unavailable'

export interface RefundOrder {
  readonly intentRef: string
  readonly amountMicroUsd: number
  /** Idempotency key. */
  readonly key: string
}

export interface Card {
  readonly brand: string
  readonly last4: string
  /** The same for the same card, whoever pays with it. */
  readonly fingerprint: string
}

/** What an event says, in our words. Money in micro-dollars. */
export type PaymentNews =
  | {
      readonly kind: 'paid'
      readonly paymentId: string
      readonly checkoutRef: string | null
      readonly intentRef: string
      readonly amountMicroUsd: number
      readonly card: Card | null
      /** The card, if the buyer let us keep it. */
      readonly kept: KeptCard | null
    }
  | { readonly kind: 'checkout_expired'; readonly paymentId: string; readonly checkoutRef: string }
  /** An attempt failed. A checkout may still be paid with another card; a charge of a kept card is over. */
  | {
      readonly kind: 'charge_failed'
      readonly paymentId: string
      readonly intentRef: string
      readonly refusal: CardRefusal
    }
  | {
      readonly kind: 'refund'
      readonly refundRef: string
      readonly intentRef: string
      readonly amountMicroUsd: number
      readonly state: 'pending' | 'succeeded' | 'failed'
    }
  | {
      readonly kind: 'dispute'
      readonly disputeRef: string
      readonly intentRef: string
      readonly amountMicroUsd: number
      readonly state: 'open' | 'won' | 'lost'
    }
  /** True, and nothing to us. */
  | { readonly kind: 'other' }

export interface PaymentEvent {
  /** The provider's id of the event: one that was taken is not taken again. */
  readonly id: string
  readonly createdAt: Date
  readonly news: PaymentNews
}

/** `forged`: not signed by the provider, altered, or older than its tolerance. `unreadable`: signed, and not what is promised. */
export type EventRefusal = 'forged' | 'unreadable'

export interface Payments {
  readonly provider: PaymentProvider
  /** The header that carries the signature of its events, in lower case. */
  readonly signatureHeader: string
  openCheckout(order: CheckoutOrder): Promise<Result<OpenedCheckout, ProviderTrouble>>
  /** Ends a checkout that nobody is to pay any more. One that is paid already stays so, and its event says it. */
  closeCheckout(checkoutRef: string): Promise<Result<void, ProviderTrouble>>
  /** Charges a kept card while its owner is away. What it came to is told again by an event. */
  chargeKeptCard(
    charge: SavedCardCharge,
  ): Promise<Result<{ intentRef: string }, CardRefusal | ProviderTrouble>>
  refund(
    order: RefundOrder,
  ): Promise<
    Result<{ refundRef: string; state: 'pending' | 'succeeded' }, 'not_refundable' | ProviderTrouble>
  >
  /**
   * What the provider holds of a checkout now, as its event would say it: for one whose event is late or lost.
   * @returns null while it is open
   */
  lookUp(checkoutRef: string): Promise<Result<PaymentNews | null, ProviderTrouble>>
  /**
   * What the provider holds of a charge of a kept card now, as its event would say it.
   * @returns null while it has not decided
   */
  lookUpCharge(intentRef: string): Promise<Result<PaymentNews | null, ProviderTrouble>>
  /**
   * The charge of a kept card that was asked for under a payment's id, where the answer to that was lost.
   * @returns null when none was made, as far as the provider knows by now
   */
  findCharge(of: AskedCharge): Promise<Result<{ intentRef: string } | null, ProviderTrouble>>
  /** Forgets a kept card. */
  forgetCard(card: KeptCard): Promise<Result<void, ProviderTrouble>>
  /**
   * Reads an event from the bytes of its request and its signature header, and asks the provider for what the event
   * leaves out (the card). `provider_unavailable`: not now, it is to be delivered again.
   */
  readEvent(
    body: Uint8Array,
    signature: string,
    now: Date,
  ): Promise<Result<PaymentEvent, EventRefusal | ProviderTrouble>>
}
