import { announceBalance } from '../announce.ts'
import type { Services } from '../context.ts'

/**
 * One statement does a turn of the meter: claims the calls whose next minute has begun, pays it where
 * the balance covers it, and schedules the one after. A minute begins one millisecond past the last
 * one's end, so that 60.0 s is one minute. Any number of nodes run it at once (`skip locked`), and a
 * node that dies in the middle leaves nothing half done.
 */
const chargeDue = `
with due as (
  select call_id, account_id, rate, minutes, max_minutes, next_charge_at from call_meter
  where next_charge_at <= $1 order by next_charge_at limit $2 for update skip locked
), holder as (
  select id, balance, user_id from account where id in (select account_id from due) order by id for update
), plan as (
  select due.*, holder.user_id,
    sum(due.rate) over (partition by due.account_id order by due.next_charge_at, due.call_id)
      <= holder.balance as paid
  from due join holder on holder.id = due.account_id
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
)
select call_id, user_id, paid from plan`

interface Charged {
  readonly call_id: string
  readonly user_id: string
  readonly paid: boolean
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
    const charged = await services.db.query<Charged>(chargeDue, [services.clock.now(), meterBatch])
    total += charged.length
    await hangUpUnpaid(
      services,
      charged.filter(call => !call.paid).map(call => call.call_id),
    )
    for (const userId of new Set(charged.map(call => call.user_id))) await announceBalance(services, userId)
    if (charged.length < meterBatch) return total
  }
}

/** Hangs up calls whose next minute could not be paid. One that fails is tried again by reconciliation. */
export async function hangUpUnpaid(services: Services, callIds: readonly string[]): Promise<void> {
  for (const callId of callIds) {
    try {
      await services.telephony.hangUp(callId, 'no_credits')
    } catch (error) {
      services.log.error({ err: error, callId }, 'hanging up an unpaid call failed')
    }
  }
}
