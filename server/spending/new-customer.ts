import { hourMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { isUncontested, keptOf } from '../ledger/kept.ts'

/** What the limit on new customers leaves for calls (ADR-50). */
export interface NewCustomerRoom {
  /** After charges since the first payment and what other live calls may still cost. Micro-dollars. */
  readonly left: number
  readonly endsAt: Date
}

/**
 * What a user's calls may still cost in the first hours after the first valid payment; refunded and contested ones are
 * not valid. Without a valid one, the hours begin with the last payment or with the first booklet that the user redeemed,
 * whichever is later (ADR-65): otherwise an old refunded payment would free redeemed credits of the limit. Buying booklets counts for nothing. One statement, since the meter charges without
 * the user's lock. Calls that earned a goodwill credit still count.
 * @param except a call that is not counted
 * @returns undefined without a limit: never paid, or paid longer ago
 */
export async function newCustomerRoom(
  db: Db,
  { clock, policy }: Services,
  userId: string,
  except: string | null = null,
): Promise<NewCustomerRoom | undefined> {
  const { hours, spendMicroUsd } = policy.newCustomer
  const [first] = await db.query<{ at: Date | null }>(
    `select coalesce(min(paid_at) filter (where stands),
       greatest(max(paid_at), (select min(redeemed_at) from gift where redeemed_by = $1))) as at
     from (select paid_at, ${keptOf('payment')} > 0 and ${isUncontested('payment')} as stands
       from payment where user_id = $1 and state = 'paid' and kind <> 'gift') paid`,
    [userId],
  )
  if (first?.at == null) return undefined
  const endsAt = new Date(first.at.getTime() + hours * hourMs)
  if (clock.now() >= endsAt) return undefined
  const [row] = await db.query<{ spent: number }>(
    `select coalesce(sum(case when call.state = 'ended' then cost
         when coalesce(call_meter.state, 'running') = 'running'
           then call.rate * greatest(ceil(limit_ms / 60000.0), coalesce(minutes, 0))
         else call.rate * minutes end), 0)::bigint as spent
     from (select id, state, cost, rate, limit_ms from call
       where user_id = $1 and not free and placed_at > $2 and (ended_at is null or ended_at > $3)
         and id is distinct from $4::uuid) call
     left join call_meter on call_id = call.id`,
    // No call lasts a day. A call that was live at the first payment counts in full.
    [userId, new Date(first.at.getTime() - 24 * hourMs), first.at, except],
  )
  return { left: Math.max(0, spendMicroUsd - (row?.spent ?? 0)), endsAt }
}
