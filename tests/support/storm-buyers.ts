import { delivery } from '#lib/api/local-checkout.ts'
import { creditsForUsd } from '#lib/money/credits.ts'
import { passesLuhn } from '#lib/money/payment-card.ts'
import type { Services } from '#server/context.ts'
import type { LocalPayments } from '#server/payment-provider/local/adapter.ts'
import { openCheckout } from '#server/payments/checkout.ts'
import { offerRefund, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { releasePayment } from '#server/payments/release.ts'
import { referrers } from './storm-callers.ts'
import type { Chance } from './storm-chance.ts'

/** Actions of users and banks with money in a storm; any of them may be interrupted by a kill. */
export interface StormBuyers {
  /** Buys the minimum amount, with the user's own card or a troublesome one. */
  buy(userId: string, chance: Chance): Promise<void>
  /** Requests a refund, ends a dispute, or releases a payment held for review. */
  goOn(chance: Chance): Promise<void>
}

/** Cards that are declined, disputed, refunded late or not at all, declined later, or need authentication. */
const troublesome = [
  '4000000000000002',
  '4000000000000259',
  '4000000000007726',
  '4000000000005126',
  '4000000000000341',
  '4000002500003155',
] as const

/** @param people user ids, each with their own card */
export function createStormBuyers(
  services: Services,
  local: LocalPayments,
  people: readonly string[],
): StormBuyers {
  const { db } = services

  async function buy(userId: string, chance: Chance): Promise<void> {
    const nth = people.indexOf(userId)
    const usd = chance.pick([5, 5, 6, 10, 50])
    const opened = await openCheckout(services, userId, {
      amountUsd: usd,
      credits: creditsForUsd(usd),
      referralId: chance.pick([...referrers, 'nobodyss']),
      // Some never save a card, so that their balances run out.
      autoTopUpEnabled: nth % 2 === 0,
    })
    if (!opened.ok || chance.happens(0.05)) return
    const ref = new URL(opened.value.url).searchParams.get('session') ?? ''
    const number = chance.happens(0.25) ? chance.pick(troublesome) : ownCard(nth)
    const card = { number, expiry: '1240', code: '123' }
    const paid = await local.hosted.pay(ref, card, chance.pick(delivery.options))
    if (paid.ok && paid.value.state === 'authenticating') await local.hosted.authenticate(ref, true)
  }

  /** A random row of a query; undefined when it has none. */
  async function any<Row>(sql: string, chance: Chance): Promise<Row | undefined> {
    const rows = await db.query<Row>(sql)
    return rows.length === 0 ? undefined : chance.pick(rows)
  }

  async function refund(chance: Chance): Promise<void> {
    const one = await any<{ id: string; user_id: string }>(
      `select id, user_id from payment where state = 'paid' order by paid_at desc limit 40`,
      chance,
    )
    const offer = one && (await offerRefund(services, one.user_id, one.id))
    if (one !== undefined && offer?.ok === true) {
      await requestRefund(services, one.user_id, one.id, offer.value.amount)
    }
  }

  async function endDispute(chance: Chance): Promise<void> {
    const one = await any<{ ref: string }>(`select ref from local_dispute where state = 'open'`, chance)
    // Two processes may end it at once: the second finds none.
    if (one !== undefined) {
      await local.closeDispute(one.ref, chance.happens(0.9) ? 'won' : 'lost').catch(() => undefined)
    }
  }

  async function release(chance: Chance): Promise<void> {
    const one = await any<{ id: string }>(
      'select id from payment where held > 0 and released_at is null limit 20',
      chance,
    )
    if (one !== undefined) await releasePayment(services, one.id, { actor: 'storm', reason: 'a storm' })
  }

  return { buy, goOn: chance => chance.pick([refund, refund, endDispute, endDispute, release])(chance) }
}

/** A valid, working card number, different for each user. */
function ownCard(nth: number): string {
  const start = `42424242${String(nth).padStart(7, '0')}`
  for (let last = 0; last <= 9; last += 1) if (passesLuhn(`${start}${last}`)) return `${start}${last}`
  throw new Error('one digit of ten makes it valid')
}
