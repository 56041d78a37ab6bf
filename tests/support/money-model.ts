import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { bonusCredits, reviewAboveUsd } from '#lib/money/credits.ts'
import { maxGiftUsd } from '#lib/money/gifts.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { freeCallMinutes } from '#lib/money/pricing.ts'
import { refundableUntil, unusedPart } from '#lib/money/refunds.ts'
import { claimableUntil, creditWindowDays, shortCallMs } from '#server/calls/settlement/call-credit.ts'
import { defaultCallCreditTerms } from '#server/config/policy.ts'
import type { CardRejection } from '#server/payment-provider/port.ts'
import { type Movement, unspentPaid } from '#server/payments/refunds/paid-credits.ts'
import { advanceClaim, settle } from './money-model-claims.ts'
import { awaitsReview, isDisputed, settleGift } from './money-model-gifts.ts'
import type { ModelCall, ModelClaim, ModelEndedCall, ModelPayment } from './money-model-parts.ts'

const hourMs = 3600_000
const dayMs = 24 * hourMs
const longestCallMinutes = 60
/** Equal for all trust tiers, so that the model needs none. */
export const modelTopUpRate = { perHour: 2, perDay: 3 } as const

/**
 * A one-page model of one customer's money, without database, transactions or locks. The real services must agree
 * with it after every command, whatever failed meanwhile.
 */
export class MoneyModel {
  balance = 0
  canCall = true
  isDeleted = false
  blockedBy: 'operator' | 'dispute' | undefined
  /** When an operator last lifted the block. Disputes until then no longer block. */
  private unblockedAt = Number.NEGATIVE_INFINITY
  freeCall: 'available' | 'reserved' | 'used' = 'available'
  hasCard = false
  autoTopUp = false
  topUpFailures = 0
  /** A charge left the balance low. */
  topUpRequested = false
  call: ModelCall | undefined
  lastCall: ModelEndedCall | undefined
  private readonly claimedAt: number[] = []
  private readonly restartedAt: number[] = []
  /** Free calls that stayed available after an answer, and the end of the window that counts them. */
  private kept = { count: 0, until: Number.NEGATIVE_INFINITY }
  readonly payments: ModelPayment[] = []
  private readonly moved: Movement[] = []

  private move(kind: Movement['kind'], about: string, amount: number): void {
    if (amount === 0) return
    this.balance += amount
    this.moved.push({ kind, about, amountMicroUsd: amount })
  }

  adjust(amount: number): void {
    this.move('gift', 'adjustment', amount)
    this.raiseLimit()
  }

  open(
    id: string,
    kind: ModelPayment['kind'],
    amount: number,
    savesCard: boolean,
    now: number,
    code?: string,
  ): void {
    const bonus = code === undefined ? bonusCredits(amount / microUsdPerUsd) * microUsdPerUsd : 0
    const gift = code === undefined ? undefined : { code, unredeemed: 0, takenBack: 0, redeemed: undefined }
    this.payments.push({
      ...{ id, kind, amount, bonus, savesCard, createdAt: now, state: 'open' },
      ...{ paidAt: 0, held: 0, released: false, claims: [], gift },
      clawedBack: { amount: 0, bonus: 0, held: 0, customer: 0, lost: 0 },
    })
  }

  pay(payment: ModelPayment, now: number): void {
    if (payment.state === 'paid') return
    const { gift } = payment
    payment.held =
      gift === undefined ? this.heldPart(payment.amount, now) : this.heldGift(payment.amount, now)
    payment.state = 'paid'
    payment.paidAt = now
    if (gift !== undefined) {
      gift.unredeemed = payment.amount - payment.held
      this.settlePaid(payment)
      return
    }
    this.move('purchase', payment.id, payment.amount - payment.held)
    if (payment.held === 0) this.move('gift', payment.id, payment.bonus)
    if (payment.savesCard) {
      this.hasCard = true
      this.autoTopUp = true
    }
    this.topUpFailures = 0
    this.settlePaid(payment)
    this.raiseLimit()
  }

  /** Refunds and disputes that were reported before the payment. */
  private settlePaid(payment: ModelPayment): void {
    this.settleClaims(payment)
    if (payment.claims.some(({ kind }) => kind === 'dispute')) this.blockWhileDisputed()
  }

  /** The part of a payment that exceeds the daily amount released at once. */
  private heldPart(amount: number, now: number): number {
    const beyond = paidOf(this.payments, now) + amount - reviewAboveUsd * microUsdPerUsd
    return Math.min(Math.max(beyond, 0), amount)
  }

  private giftsPaid(now: number): number {
    return paidOf(
      this.payments.filter(({ gift }) => gift !== undefined),
      now,
    )
  }

  /** A booklet is reviewed as a whole. */
  private heldGift(amount: number, now: number): number {
    const isBeyond = this.giftsPaid(now) + amount > maxGiftUsd * microUsdPerUsd
    return isBeyond || this.heldPart(amount, now) > 0 ? amount : 0
  }

  /** @returns why no checkout of a booklet opens. @param isOpen the same one is open already */
  giftRejection(amount: number, isOpen: boolean, now: number): string | undefined {
    if (!this.canCall) return 'call_blocked'
    return !isOpen && this.giftsPaid(now) + amount > maxGiftUsd * microUsdPerUsd ? 'gift_limit' : undefined
  }

  /** @returns what arrives at another account; 0: the code opens nothing */
  redeem(payment: ModelPayment, by: string): number {
    const { gift } = payment
    if (gift === undefined || gift.redeemed !== undefined || this.blockedBy !== undefined) return 0
    if (payment.state !== 'paid' || awaitsReview(payment) || isDisputed(payment)) return 0
    const { unredeemed: amount } = gift
    if (amount === 0) return 0
    gift.redeemed = { by, amount }
    gift.unredeemed = 0
    return amount
  }

  deletionRejection(): string | undefined {
    if (this.call !== undefined) return 'call_in_progress'
    const { payments } = this
    if (payments.some(({ state }) => state === 'open')) return 'payment_in_progress'
    const refunds = payments.flatMap(({ claims }) => claims.filter(({ asked }) => asked))
    if (refunds.some(({ state }) => state === 'pending')) return 'refund_in_progress'
    const inReview = payments.some(
      payment =>
        payment.gift !== undefined &&
        awaitsReview(payment) &&
        !isDisputed(payment) &&
        payment.clawedBack.held < payment.held,
    )
    return inReview ? 'booklet_in_review' : undefined
  }

  /** The rest of the balance is given up. Envelopes that are out keep working. */
  delete(): void {
    this.isDeleted = true
    this.canCall = false
    this.balance = 0
  }

  /** Whether refunds, or disputes, would come to more than was paid. */
  exceeds({ amount, claims }: ModelPayment, made: ModelClaim): boolean {
    const same = claims.filter(
      ({ kind, state }) => kind === made.kind && state !== 'failed' && state !== 'won',
    )
    return same.reduce((sum, claim) => sum + claim.amount, made.amount) > amount
  }

  claim(payment: ModelPayment, claim: ModelClaim): void {
    payment.claims.push(claim)
    this.claimChanged(payment, claim)
  }

  moveClaim(payment: ModelPayment, claim: ModelClaim, state: ModelClaim['state']): void {
    advanceClaim(claim, state)
    this.claimChanged(payment, claim)
  }

  private claimChanged(payment: ModelPayment, { kind, state, spared }: ModelClaim): void {
    if (payment.state !== 'paid') return
    this.settleClaims(payment, state === 'failed' ? spared : 0)
    if (kind === 'dispute') this.blockWhileDisputed()
  }

  /** @param spared the part of the losses that a failed refund does not restore */
  private settleClaims(payment: ModelPayment, spared = 0): void {
    const { gift } = payment
    if (gift !== undefined) {
      this.move('claim', payment.id, settleGift(payment, gift, this.balance, spared))
      return
    }
    const { paid, given } = settle(payment, this.balance, spared)
    this.move('claim', payment.id, paid)
    this.move('gift', payment.id, given)
  }

  private blockWhileDisputed(): void {
    const paid = this.payments.filter(({ state }) => state === 'paid')
    const contested = paid.some(({ claims }) =>
      claims.some(
        ({ kind, state, heardAt }) => kind === 'dispute' && state !== 'won' && heardAt > this.unblockedAt,
      ),
    )
    if (contested && this.blockedBy === undefined) this.block('dispute')
    if (!contested && this.blockedBy === 'dispute') this.unblock()
  }

  block(by: 'operator' | 'dispute'): void {
    this.canCall = false
    this.blockedBy = by
  }

  letCallAgain(now: number): void {
    if (!this.canCall) this.unblockedAt = now
    this.unblock()
  }

  private unblock(): void {
    this.canCall = !this.isDeleted
    this.blockedBy = undefined
  }

  /** @returns the amount added to the balance, or why there is none */
  release(payment: ModelPayment): number | 'nothing_held' {
    if (payment.state !== 'paid' || payment.held === 0 || payment.released) return 'nothing_held'
    const before = this.balance
    const { gift } = payment
    if (gift !== undefined) {
      payment.released = true
      const waited = payment.held - payment.clawedBack.held
      gift.unredeemed += waited
      this.raiseLimit()
      return waited
    }
    this.move('purchase', payment.id, payment.held - payment.clawedBack.held)
    this.move('gift', payment.id, payment.bonus)
    payment.released = true
    this.settleClaims(payment)
    this.raiseLimit()
    return this.balance - before
  }

  /** @returns the refund that the user would get now, or why there is none */
  refundOffer(payment: ModelPayment, now: number): number | string {
    if (payment.state !== 'paid') return 'unknown_payment'
    const { claims, clawedBack: taken } = payment
    if (claims.some(({ asked, state }) => asked && state !== 'failed')) return 'already_asked'
    const { gift } = payment
    if (gift === undefined && now > refundableUntil(new Date(payment.paidAt)).getTime()) return 'too_late'
    if (isDisputed(payment)) return 'disputed'
    if (awaitsReview(payment)) return 'under_review'
    if (gift !== undefined) {
      const left = gift.unredeemed
      return left === 0 ? 'gift_redeemed' : Math.min(left, payment.amount - taken.amount)
    }
    if (this.call !== undefined) return 'call_in_progress'
    const { amountMicroUsd: amount } = unusedPart({
      amountMicroUsd: payment.amount,
      bonus: payment.bonus,
      clawedBack: taken.amount,
      bonusClawedBack: taken.bonus,
      waiting: 0,
      balance: this.balance,
      unspent: unspentPaid(this.moved),
    })
    return amount === 0 ? 'nothing_unused' : amount
  }

  /** @returns the terms of a call at this rate, or why it is rejected */
  terms(rate: number): { free: boolean; limitMinutes: number } | string {
    if (!this.canCall) return 'call_blocked'
    if (this.call !== undefined) return 'too_many_calls'
    const free = this.freeCall === 'available' ? freeCallMinutes(rate) : 0
    if (free > 0) return { free: true, limitMinutes: free }
    const paid = Math.floor(this.balance / rate)
    return paid > 0 ? { free: false, limitMinutes: Math.min(paid, longestCallMinutes) } : 'no_credits'
  }

  place(call: ModelCall): void {
    this.call = call
    if (call.free) this.freeCall = 'reserved'
  }

  answer(call: ModelCall, now: number): void {
    call.answeredAt = now
    if (call.free) this.freeCall = 'used'
    this.charge(call, now)
  }

  /** @returns true when the call is over: its limit is reached, or its next minute cannot be paid */
  pass(now: number): boolean {
    const { call } = this
    if (call?.answeredAt === undefined) return false
    this.charge(call, now)
    return call.exhausted || now - call.answeredAt >= call.limitMinutes * 60_000
  }

  private charge(call: ModelCall, now: number): void {
    const begun = Math.max(1, Math.ceil((now - (call.answeredAt ?? now)) / 60_000))
    while (!call.free && !call.exhausted && call.minutes < Math.min(begun, call.limitMinutes)) {
      if (call.rate > this.balance) call.exhausted = true
      else {
        this.move('usage', call.callId, -call.rate)
        call.minutes += 1
      }
      this.requestIfLow()
    }
  }

  /** @param byRestart our own server stopped, and the call ended there */
  end(call: ModelCall, now: number, byRestart = false): void {
    this.call = undefined
    if (call.answeredAt === undefined) {
      if (call.free) this.freeCall = 'available'
      return
    }
    const longest = Math.min(call.limitMinutes, call.exhausted ? call.minutes : Number.POSITIVE_INFINITY)
    const endedAt = Math.min(now, call.answeredAt + longest * 60_000)
    this.lastCall = { callId: call.callId, paid: 0, endedAt, credited: 0, byRestart: false }
    if (call.free) {
      this.keepFreeCall(endedAt - call.answeredAt, byRestart, now)
      return
    }
    const paidMinutes = call.exhausted ? call.minutes : Number.POSITIVE_INFINITY
    const talked = Math.ceil((now - call.answeredAt) / 60_000)
    const cost = Math.min(talked, call.limitMinutes, paidMinutes)
    this.move('usage', call.callId, (call.minutes - cost) * call.rate)
    this.lastCall = { ...this.lastCall, paid: cost * call.rate }
    if (byRestart && cost > 0) this.refundRestart(this.lastCall, call.rate, now)
    if (cost > 0) this.requestIfLow()
  }

  /** A free call under 10 s, or cut by our restart, stays available: twice in 30 days from the first. */
  private keepFreeCall(answeredMs: number, byRestart: boolean, now: number): void {
    if (answeredMs >= shortCallMs && !byRestart) return
    if (now >= this.kept.until) this.kept = { count: 0, until: now + 30 * dayMs }
    if (this.kept.count >= 2) return
    this.kept.count += 1
    this.freeCall = 'available'
  }

  private refundRestart(call: ModelEndedCall, rate: number, now: number): void {
    const { maxRestarts, maxUnverifiedCreditMicroUsd } = defaultCallCreditTerms
    const recent = this.restartedAt.filter(at => at > now - creditWindowDays * dayMs)
    if (!this.canCall || recent.length >= maxRestarts) return
    this.restartedAt.push(now)
    call.credited = Math.min(call.paid, Math.max(maxUnverifiedCreditMicroUsd, rate))
    call.byRestart = true
    this.move('gift', call.callId, call.credited)
  }

  /** @returns the goodwill credit for the last call, or why there is none */
  claimCall(call: ModelEndedCall, now: number): number | string {
    if (call.credited > 0) return call.byRestart ? 'already_credited' : call.credited
    if (call.paid === 0) return 'nothing_charged'
    if (!this.canCall) return 'call_blocked'
    if (now > claimableUntil(new Date(call.endedAt)).getTime()) return 'too_late'
    const { maxClaims, maxUnverifiedCreditMicroUsd } = defaultCallCreditTerms
    const recent = this.claimedAt.filter(at => at > now - creditWindowDays * dayMs)
    if (recent.length >= maxClaims) return 'claim_limit'
    this.claimedAt.push(now)
    call.credited = Math.min(call.paid, maxUnverifiedCreditMicroUsd)
    this.move('gift', call.callId, call.credited)
    this.raiseLimit()
    return call.credited
  }

  private requestIfLow(): void {
    if (this.autoTopUp && this.balance <= lowBalanceMicroUsd) this.topUpRequested = true
  }

  /** A top-up extends the running call. */
  private raiseLimit(): void {
    const { call } = this
    if (call === undefined || call.free || call.exhausted) return
    const covered = call.minutes + Math.floor(this.balance / call.rate)
    call.limitMinutes = Math.max(call.limitMinutes, Math.min(covered, longestCallMinutes))
  }

  /** One run of the auto top-up worker. @returns the amount charged to the saved card; undefined: none */
  consumeRequest(now: number): number | undefined {
    const due = this.topUpRequested && this.autoTopUp && this.hasCard && this.canCall
    this.topUpRequested = false
    if (!due || this.balance > lowBalanceMicroUsd) return undefined
    const topUps = this.payments.filter(({ kind }) => kind === 'auto_topup')
    if (topUps.some(({ state }) => state === 'open')) return undefined
    const failedAt = Math.max(...topUps.filter(({ state }) => state === 'failed').map(one => one.createdAt))
    if (this.topUpFailures > 0 && now - failedAt < hourMs) return undefined
    const within = (ms: number) =>
      topUps.filter(({ state, createdAt }) => state !== 'failed' && createdAt > now - ms).length
    if (within(hourMs) >= modelTopUpRate.perHour || within(dayMs) >= modelTopUpRate.perDay) return undefined
    const bought = this.payments.filter(({ kind, state }) => kind === 'checkout' && state === 'paid')
    const amount = bought.sort((a, b) => b.paidAt - a.paidAt)[0]?.amount
    // No charge if a part of the credits would be held for review.
    return amount === undefined || this.heldPart(amount, now) === amount ? undefined : amount
  }

  switchTopUp(on: boolean): void {
    this.autoTopUp = on
    this.topUpFailures = 0
    if (on) return
    for (const payment of this.payments) if (payment.state !== 'paid') payment.savesCard = false
  }

  failTopUp(payment: ModelPayment, rejection: CardRejection): void {
    if (payment.state !== 'open') return
    payment.state = 'failed'
    this.topUpFailures += 1
    if (rejection === 'card_gone') this.hasCard = false
    if (rejection === 'card_gone' || this.topUpFailures >= 2) this.autoTopUp = false
  }
}

/** Paid within the last 24 hours. */
function paidOf(payments: readonly ModelPayment[], now: number): number {
  const today = payments.filter(({ state, paidAt }) => state === 'paid' && paidAt > now - dayMs)
  return today.reduce((sum, one) => sum + one.amount, 0)
}
