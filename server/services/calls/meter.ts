import { lowBalanceMicroUsd } from '#lib/rules/balance.ts'
import { microUsdToUsd } from '#lib/rules/money.ts'
import type { Services } from '../context.ts'

/**
 * One statement does a turn of the meter: claims the calls whose next minute has begun, pays it where
 * the balance covers it, and schedules the one after. Calls of one account are paid in the order in which
 * they came due, each from what is left: one that is too dear takes nothing from a cheaper one after it. A
 * minute begins one millisecond past the last one's end, so that 60.0 s is one minute. Whom a charge leaves
 * at the low-credit mark is noted for auto top-up with that charge. Any number of nodes run it at once
 * (`skip locked`), and a node that dies in the middle leaves nothing half done.
 */
const chargeDue = `
with recursive due as (
  select call_id, account_id, rate, minutes, max_minutes, next_charge_at from call_meter
  where next_charge_at <= $1 order by next_charge_at limit $2 for update skip locked
), holder as (
  select id, balance, user_id from account where id in (select account_id from due) order by id for update
), queue as (
  select due.*, row_number() over (partition by account_id order by next_charge_at, call_id) as place from due
), plan as (
  select queue.*, user_id, rate <= balance as paid, balance - case when rate <= balance then rate else 0 end as rest
  from queue join holder on holder.id = account_id where place = 1
  union all
  select queue.*, user_id, queue.rate <= rest, rest - case when queue.rate <= rest then queue.rate else 0 end
  from plan join queue on queue.account_id = plan.account_id and queue.place = plan.place + 1
), charge as (
  insert into transfer (key, debit_account, credit_account, amount, call_id, created_at)
  select 'call:' || call_id || ':' || (minutes + 1), account_id,
    (select id from account where kind = 'revenue'), rate, call_id, $1
  from plan where paid
), advance as (
  update call_meter set
    minutes = call_meter.minutes + plan.paid::int,
    state = case when plan.paid then 'running' else 'exhausted' end,
    next_charge_at = case
      when not plan.paid or call_meter.minutes + 1 >= plan.max_minutes then null
      else plan.next_charge_at + case when call_meter.minutes = 0
        then interval '60.001 seconds' else interval '60 seconds' end
    end
  from plan where plan.call_id = call_meter.call_id
), wish as (
  insert into auto_topup_wish (account_id, wished_at)
  select account_id, $1 from plan join app_user on app_user.id = user_id
  where rest <= $3 and auto_topup_enabled
  on conflict do nothing
)
select call_id, user_id, paid, rate, next_charge_at from plan`

interface Charged {
  readonly call_id: string
  readonly user_id: string
  readonly paid: boolean
  /** Micro-dollars. */
  readonly rate: number
  /** When the minute began. */
  readonly next_charge_at: Date
}

/** How many calls one statement takes; a full batch is followed by another at once. */
export const meterBatch = 500

/**
 * Charges every minute that has begun, and hangs up where the next one cannot be paid.
 * @returns how many minutes were due.
 */
export async function chargeDueMinutes(services: Services): Promise<number> {
  let total = 0
  for (;;) {
    const charged = await services.db.query<Charged>(chargeDue, [
      services.clock.now(),
      meterBatch,
      lowBalanceMicroUsd,
    ])
    total += charged.length
    tellCharged(services, charged)
    await hangUpUnpaid(
      services,
      charged.filter(call => !call.paid).map(call => call.call_id),
    )
    await announceBalances(services, [...new Set(charged.map(call => call.user_id))])
    if (charged.length < meterBatch) return total
  }
}

function tellCharged({ observe, clock }: Services, charged: readonly Charged[]): void {
  const now = clock.now().getTime()
  for (const { paid, rate, next_charge_at: began } of charged) {
    if (paid) observe?.({ kind: 'minute_charged', microUsd: rate, lagMs: now - began.getTime() })
  }
}

/**
 * Hangs up those calls that this process carries, since their next minute could not be paid. One that fails,
 * and one that another process carries, is hung up by the next heartbeat of the process that does; one on a shared network
 * by `tend.ts`, since a network that does not answer must not keep the meter.
 */
async function hangUpUnpaid(services: Services, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0) return
  const own = await services.db.query<{ id: string }>(
    'select id from call where id = any($1::uuid[]) and node = $2',
    [callIds, services.nodeId],
  )
  for (const { id } of own) await hangUpWithoutCredits(services, id)
}

/** Never throws: what failed is tried again by the next heartbeat or reconciliation. */
export async function hangUpWithoutCredits(services: Services, callId: string): Promise<void> {
  try {
    await services.telephony.hangUp(callId, 'no_credits')
  } catch (error) {
    services.log.error({ err: error, callId }, 'hanging up an unpaid call failed')
  }
}

/** As `announceBalance`, for everybody who was charged in one turn. */
async function announceBalances({ db, notifier }: Services, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const rows = await db.query<{ user_id: string; balance: number }>(
    'select user_id, balance from account where user_id = any($1::uuid[])',
    [userIds],
  )
  for (const row of rows) notifier.balance(row.user_id, { credits: microUsdToUsd(row.balance) })
}
