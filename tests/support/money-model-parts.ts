import type { CardRejection } from '#server/payment-provider/port.ts'
import type { ModelGift } from './money-model-gifts.ts'

/**
 * A refund or a dispute of a payment. Money in micro-dollars, as everywhere here; times in milliseconds since 1970.
 */
export interface ModelClaim {
  readonly ref: string
  readonly kind: 'refund' | 'dispute'
  readonly amount: number
  state: 'pending' | 'succeeded' | 'failed' | 'open' | 'lost' | 'won'
  readonly heardAt: number
  /** The user requested it from us. */
  readonly asked: boolean
  /** The part of the payment lost before the request. It stays lost if the refund fails. */
  readonly spared: number
}

export interface ModelPayment {
  readonly id: string
  readonly kind: 'checkout' | 'auto_topup' | 'gift'
  readonly amount: number
  readonly bonus: number
  /** The buyer agreed to save the card, and has not switched auto top-up off since. */
  savesCard: boolean
  readonly createdAt: number
  state: 'open' | 'paid' | 'failed' | 'expired'
  paidAt: number
  held: number
  released: boolean
  readonly claims: ModelClaim[]
  /** Undefined for credits of the customer's own. */
  readonly gift: ModelGift | undefined
  /** Clawed back so far, and from where. */
  readonly clawedBack: { amount: number; bonus: number; held: number; customer: number; lost: number }
}

export interface ModelCall {
  readonly callId: string
  readonly rate: number
  readonly free: boolean
  limitMinutes: number
  answeredAt: number | undefined
  minutes: number
  exhausted: boolean
}

export interface ModelEndedCall {
  readonly callId: string
  readonly paid: number
  readonly endedAt: number
  /** Micro-dollars refunded: on a claim, or because our restart cut it. */
  credited: number
  byRestart: boolean
}

/** A saved card's answer: at once, or `slow`, reported later by an event. */
export type CardAnswer = 'pays' | 'slow' | CardRejection
