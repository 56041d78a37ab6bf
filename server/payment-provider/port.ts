import type { Result } from '#lib/result.ts'

/** Provider-specific terms stay behind this interface. */
export type PaymentProvider = 'local' | 'stripe'

export interface CheckoutOrder {
  /** Our payment id, a UUID, used as the idempotency key. */
  readonly paymentId: string
  readonly userId: string
  readonly email: string
  /** In micro-dollars; a whole number of US dollars. */
  readonly amountMicroUsd: number
  readonly description: string
  /** `gift`: credits for somebody else. */
  readonly purpose: 'credits' | 'gift'
  readonly savesCard: boolean
  /** What the buyer allows by paying, if the card is saved. In the buyer's language, as `description`. */
  readonly consentText: string
  /** Asks the buyer's bank to authenticate the payment where it can (3-D Secure); may add a step for the buyer. */
  readonly authenticate: boolean
  /** The provider's customer id; null until there is one. */
  readonly customerRef: string | null
  readonly successUrl: string
  readonly cancelUrl: string
  /** 30 minutes to 24 hours after opening. Retries must send the same value: providers reject a reused key with other data. */
  readonly expiresAt: Date
}

export interface OpenedCheckout {
  readonly checkoutRef: string
  readonly url: string
}

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

/** Identifies a charge whose response was lost. */
export interface AskedCharge {
  readonly paymentId: string
  readonly customerRef: string
  /** A time before the charge was requested. */
  readonly since: Date
}

/** Permanent failures: an immediate retry would fail in the same way. */
export type CardRejection = 'declined' | 'authentication_required' | 'card_gone'

/** Unreachable or rate-limited: retry the same request with the same key. */
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
  /** Identical for the same card, whoever pays with it. */
  readonly fingerprint: string
}

/** A provider's event in our terms. Money in micro-dollars. */
export type PaymentUpdate =
  | {
      readonly kind: 'paid'
      readonly paymentId: string
      readonly checkoutRef: string | null
      readonly intentRef: string
      readonly amountMicroUsd: number
      readonly card: Card | null
      /** Set if the buyer agreed to save the card. */
      readonly kept: KeptCard | null
    }
  | { readonly kind: 'checkout_expired'; readonly paymentId: string; readonly checkoutRef: string }
  /** One attempt failed. A checkout may still be paid with another card; a charge of a saved card is over. */
  | {
      readonly kind: 'charge_failed'
      readonly paymentId: string
      readonly intentRef: string
      readonly rejection: CardRejection
    }
  | {
      readonly kind: 'refund'
      readonly refundRef: string
      /** Our idempotency key, a UUID; null if the refund was made at the provider. */
      readonly key: string | null
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
  /** The card's bank reports the payment as fraud, before any dispute. */
  | { readonly kind: 'fraud_warning'; readonly warningRef: string; readonly intentRef: string }
  /** A refund in another currency than US dollars: impossible of a payment of ours, and irrelevant of any other. */
  | { readonly kind: 'foreign_currency'; readonly intentRef: string }
  /** Valid but irrelevant to us. */
  | { readonly kind: 'other' }

export interface PaymentEvent {
  /** The provider's event id; each event is applied once. */
  readonly id: string
  readonly createdAt: Date
  readonly update: PaymentUpdate
}

/** `forged`: unsigned, altered or older than the tolerance. `unreadable`: signed, but not in the documented form. */
export type EventRejection = 'forged' | 'unreadable'

export interface Payments {
  readonly provider: PaymentProvider
  /** Header with the events' signature, in lower case. */
  readonly signatureHeader: string
  openCheckout(order: CheckoutOrder): Promise<Result<OpenedCheckout, ProviderTrouble>>
  /** Closes a checkout. If it is already paid it stays paid, and its event says so. */
  closeCheckout(checkoutRef: string): Promise<Result<void, ProviderTrouble>>
  /** Charges a saved card without its owner present. An event reports the result as well. */
  chargeKeptCard(
    charge: SavedCardCharge,
  ): Promise<Result<{ intentRef: string }, CardRejection | ProviderTrouble>>
  refund(
    order: RefundOrder,
  ): Promise<
    Result<{ refundRef: string; state: 'pending' | 'succeeded' }, 'not_refundable' | ProviderTrouble>
  >
  /** The checkout's current state in the form of its event, which may be late or lost. @returns null while it is open */
  lookUp(checkoutRef: string): Promise<Result<PaymentUpdate | null, ProviderTrouble>>
  /** The state of a saved-card charge in the form of its event. @returns null while it is undecided */
  lookUpCharge(intentRef: string): Promise<Result<PaymentUpdate | null, ProviderTrouble>>
  /** Finds a saved-card charge whose response was lost. @returns null when the provider knows of none so far */
  findCharge(of: AskedCharge): Promise<Result<{ intentRef: string } | null, ProviderTrouble>>
  forgetCard(card: KeptCard): Promise<Result<void, ProviderTrouble>>
  /** Verifies and parses an event and fetches what it omits (the card). `provider_unavailable`: it must be delivered again. */
  readEvent(
    body: Uint8Array,
    signature: string,
    now: Date,
  ): Promise<Result<PaymentEvent, EventRejection | ProviderTrouble>>
}
