import { lowBalanceMicroUsd } from '#lib/rules/balance.ts'
import { claimableUntil, creditWindowDays, defaultCallCreditTerms } from '#lib/rules/call-credit.ts'
import { bonusCredits, reviewAboveUsd } from '#lib/rules/credits.ts'
import { microUsdPerUsd } from '#lib/rules/money.ts'
import { freeCallMinutes } from '#lib/rules/pricing.ts'
import { refundableUntil, unusedPart } from '#lib/rules/refunds.ts'
import type { CardRefusal } from '#server/payments/port.ts'
import type { ModelCall, ModelClaim, ModelEndedCall, ModelPayment } from './money-model-parts.ts'

const hourMs = 3600_000
const dayMs = 24 * hourMs
const longestCallMinutes = 60
/** The same for everybody, so that the model needs no tiers. */
export const modelTopUpRate = { perHour: 2, perDay: 3 } as const

/**
 * One customer's money as it should be: the whole of it in a page, with no database, transactions or order of locks. The
 * real services must agree with it after every command, whatever failed meanwhile.
 */
export class MoneyModel {
  balance = 0
  canCall = true
  blockedBy: 'operator' | 'dispute' | undefined
  /** When an operator last let the customer call again: what was disputed by then blocks no more. */
  private unblockedAt = Number.NEGATIVE_INFINITY
  freeCall: 'available' | 'reserved' | 'used' = 'available'
  hasCard = false
  autoTopUp = false
  topUpFailures = 0
  /** A charge left the balance low. */
  wish = false
  call: ModelCall | undefined
  /** The last one that somebody answered. */
  lastCall: ModelEndedCall | undefined
  private readonly claimedAt: number[] = []
  readonly payments: ModelPayment[] = []

  open(id: string, kind: ModelPayment['kind'], amount: number, savesCard: boolean, now: number): void {
    const bonus = bonusCredits(amount / microUsdPerUsd) * microUsdPerUsd
    this.payments.push({
      ...{ id, kind, amount, bonus, savesCard, createdAt: now, state: 'open' },
      ...{ paidAt: 0, held: 0, released: false, claims: [] },
      taken: { amount: 0, bonus: 0, held: 0, customer: 0, lost: 0 },
    })
  }

  pay(payment: ModelPayment, now: number): void {
    if (payment.state === 'paid') return
    payment.held = this.heldPart(payment.amount, now)
    payment.state = 'paid'
    payment.paidAt = now
    this.balance += payment.amount - payment.held + (payment.held === 0 ? payment.bonus : 0)
    if (payment.savesCard) {
      this.hasCard = true
      this.autoTopUp = true
    }
    this.topUpFailures = 0
    this.settleClaims(payment)
    if (payment.claims.some(({ kind }) => kind === 'dispute')) this.blockWhileDisputed()
    this.raiseLimit()
  }

  /** What is paid in a day beyond the most that is given at once. */
  private heldPart(amount: number, now: number): number {
    const today = this.payments.filter(({ state, paidAt }) => state === 'paid' && paidAt > now - dayMs)
    const paidToday = today.reduce((sum, one) => sum + one.amount, 0)
    const beyond = paidToday + amount - reviewAboveUsd * microUsdPerUsd
    return Math.min(Math.max(beyond, 0), amount)
  }

  claim(payment: ModelPayment, claim: ModelClaim): void {
    payment.claims.push(claim)
    this.claimChanged(payment, claim)
  }

  /** Late news says less than what is known. */
  moveClaim(payment: ModelPayment, claim: ModelClaim, state: ModelClaim['state']): void {
    const further: Partial<Record<ModelClaim['state'], readonly ModelClaim['state'][]>> = {
      succeeded: ['pending'],
      failed: ['pending', 'succeeded'],
      lost: ['open'],
      won: ['open', 'lost'],
    }
    if (further[state]?.includes(claim.state) === true) claim.state = state
    this.claimChanged(payment, claim)
  }

  private claimChanged(payment: ModelPayment, { kind, state, spared }: ModelClaim): void {
    if (payment.state !== 'paid') return
    this.settleClaims(payment, state === 'failed' ? spared : 0)
    if (kind === 'dispute') this.blockWhileDisputed()
  }

  /** @param spared what of the losses is not filled by what is given back now */
  private settleClaims(payment: ModelPayment, spared = 0): void {
    const { taken } = payment
    const waits = payment.held > 0 && !payment.released
    const standing = payment.claims.filter(({ state }) => state !== 'failed' && state !== 'won')
    const amount = standing.reduce((sum, claim) => sum + claim.amount, 0)
    const share = Number((BigInt(payment.bonus) * BigInt(amount)) / BigInt(payment.amount))
    const bonus = waits ? 0 : Math.min(payment.bonus, share)
    const more = amount - taken.amount + (bonus - taken.bonus)
    if (more >= 0) {
      const fromHeld = waits ? Math.min(amount - taken.amount, payment.held - taken.held) : 0
      const fromBalance = Math.min(this.balance, more - fromHeld)
      taken.held += fromHeld
      taken.customer += fromBalance
      taken.lost += more - fromHeld - fromBalance
      this.balance -= fromBalance
    } else {
      const toLosses = Math.min(Math.max(taken.lost - spared, 0), -more)
      const ofCustomer = taken.customer + (waits ? 0 : taken.held)
      const toCustomer = Math.min(ofCustomer, -more - toLosses)
      taken.lost -= toLosses
      taken.held -= -more - toLosses - Math.min(toCustomer, taken.customer)
      taken.customer -= Math.min(toCustomer, taken.customer)
      this.balance += toCustomer
    }
    taken.amount = amount
    taken.bonus = bonus
  }

  private blockWhileDisputed(): void {
    const paid = this.payments.filter(({ state }) => state === 'paid')
    const isDisputed = paid.some(({ claims }) =>
      claims.some(
        ({ kind, state, heardAt }) => kind === 'dispute' && state !== 'won' && heardAt > this.unblockedAt,
      ),
    )
    if (isDisputed && this.canCall) this.block('dispute')
    if (!isDisputed && this.blockedBy === 'dispute') this.unblock()
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
    this.canCall = true
    this.blockedBy = undefined
  }

  /** @returns what comes onto the balance, or why nothing does */
  release(payment: ModelPayment): number | 'nothing_held' {
    if (payment.state !== 'paid' || payment.held === 0 || payment.released) return 'nothing_held'
    const before = this.balance
    this.balance += payment.held - payment.taken.held + payment.bonus
    payment.released = true
    this.settleClaims(payment)
    this.raiseLimit()
    return this.balance - before
  }

  /** What a refund would be now, or why there is none. */
  refundOffer(payment: ModelPayment, now: number): number | string {
    if (payment.state !== 'paid') return 'unknown_payment'
    const { claims, taken } = payment
    if (claims.some(({ asked, state }) => asked && state !== 'failed')) return 'already_asked'
    if (now > refundableUntil(new Date(payment.paidAt)).getTime()) return 'too_late'
    if (claims.some(({ kind, state }) => kind === 'dispute' && state !== 'won')) return 'disputed'
    if (this.call !== undefined) return 'call_in_progress'
    const waits = payment.held > 0 && !payment.released
    const { amount } = unusedPart({
      amount: payment.amount,
      bonus: waits ? 0 : payment.bonus,
      takenBack: taken.amount,
      bonusTakenBack: taken.bonus,
      waiting: waits ? payment.held - taken.held : 0,
      balance: this.balance,
    })
    return amount === 0 ? 'nothing_unused' : amount
  }

  /** The terms of a call at this rate, or why there is none. */
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

  /** @returns whether the call is over: its limit has come, or its next minute could not be paid */
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
        this.balance -= call.rate
        call.minutes += 1
      }
      this.wishIfLow()
    }
  }

  end(call: ModelCall, now: number): void {
    this.call = undefined
    if (call.answeredAt === undefined) {
      if (call.free) this.freeCall = 'available'
      return
    }
    const longest = Math.min(call.limitMinutes, call.exhausted ? call.minutes : Number.POSITIVE_INFINITY)
    const endedAt = Math.min(now, call.answeredAt + longest * 60_000)
    this.lastCall = { callId: call.callId, paid: 0, endedAt, credited: 0 }
    if (call.free) return
    const paidMinutes = call.exhausted ? call.minutes : Number.POSITIVE_INFINITY
    const talked = Math.ceil((now - call.answeredAt) / 60_000)
    const cost = Math.min(talked, call.limitMinutes, paidMinutes)
    this.balance -= (cost - call.minutes) * call.rate
    this.lastCall = { ...this.lastCall, paid: cost * call.rate }
    if (cost > 0) this.wishIfLow()
  }

  /** @returns what comes back for the last call, or why nothing does */
  claimCall(call: ModelEndedCall, now: number): number | string {
    if (call.credited > 0) return call.credited
    if (call.paid === 0) return 'nothing_charged'
    if (!this.canCall) return 'call_blocked'
    if (now > claimableUntil(new Date(call.endedAt)).getTime()) return 'too_late'
    const { claimsMost, onWordMostMicroUsd } = defaultCallCreditTerms
    const recent = this.claimedAt.filter(at => at > now - creditWindowDays * dayMs)
    if (recent.length >= claimsMost) return 'claim_limit'
    this.claimedAt.push(now)
    call.credited = Math.min(call.paid, onWordMostMicroUsd)
    this.balance += call.credited
    this.raiseLimit()
    return call.credited
  }

  private wishIfLow(): void {
    if (this.autoTopUp && this.balance <= lowBalanceMicroUsd) this.wish = true
  }

  /** More credits let a running call go on. */
  private raiseLimit(): void {
    const { call } = this
    if (call === undefined || call.free || call.exhausted) return
    const covered = call.minutes + Math.floor(this.balance / call.rate)
    call.limitMinutes = Math.max(call.limitMinutes, Math.min(covered, longestCallMinutes))
  }

  /** The worker's turn. @returns what it charges the kept card; undefined: nothing */
  takeWish(now: number): number | undefined {
    const due = this.wish && this.autoTopUp && this.hasCard && this.canCall
    this.wish = false
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
    // Nobody's card is charged for credits of which none can be used now.
    return amount === undefined || this.heldPart(amount, now) === amount ? undefined : amount
  }

  switchTopUp(on: boolean): void {
    this.autoTopUp = on
    this.topUpFailures = 0
    if (on) return
    for (const payment of this.payments) if (payment.state !== 'paid') payment.savesCard = false
  }

  failTopUp(payment: ModelPayment, refusal: CardRefusal): void {
    if (payment.state !== 'open') return
    payment.state = 'failed'
    this.topUpFailures += 1
    if (refusal === 'card_gone') this.hasCard = false
    if (refusal === 'card_gone' || this.topUpFailures >= 2) this.autoTopUp = false
  }
}
