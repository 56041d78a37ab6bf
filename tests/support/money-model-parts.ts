import type { CardRefusal } from '#server/payments/port.ts'

/** A refund or a dispute of a payment. Money in micro-dollars, as everywhere here; times in milliseconds since 1970. */
export interface ModelClaim {
  readonly ref: string
  readonly kind: 'refund' | 'dispute'
  readonly amount: number
  state: 'pending' | 'succeeded' | 'failed' | 'open' | 'lost' | 'won'
  readonly heardAt: number
  /** The user asked us for it. */
  readonly asked: boolean
  /** What of its payment had been lost before it was asked for: stays lost if it comes to nothing. */
  readonly spared: number
}

export interface ModelPayment {
  readonly id: string
  readonly kind: 'checkout' | 'auto_topup'
  readonly amount: number
  readonly bonus: number
  /** The buyer lets us keep the card, and has not switched auto top-up off since. */
  savesCard: boolean
  readonly createdAt: number
  state: 'open' | 'paid' | 'failed' | 'expired'
  paidAt: number
  held: number
  released: boolean
  readonly claims: ModelClaim[]
  /** Taken back so far, and from where it came. */
  readonly taken: { amount: number; bonus: number; held: number; customer: number; lost: number }
}

export interface ModelCall {
  readonly callId: string
  readonly rate: number
  readonly free: boolean
  limitMinutes: number
  answeredAt: number | undefined
  /** Paid so far. */
  minutes: number
  exhausted: boolean
}

/** An ended call, as it may be claimed. */
export interface ModelEndedCall {
  readonly callId: string
  readonly paid: number
  readonly endedAt: number
  /** Given back on a claim. */
  credited: number
}

/** How a kept card answers: at once, or `slow`, where an event tells it later. */
export type CardAnswer = 'pays' | 'slow' | CardRefusal
