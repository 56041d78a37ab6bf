import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'

/**
 * Claims calls whose next minute has begun, charges it where the balance covers it, and schedules the following one.
 * Calls of one account are charged in due order, so one that is too expensive takes nothing from a cheaper one after
 * it. A minute begins one millisecond after the last one's end, so that 60.0 s is one minute. A charge that leaves the
 * balance low also requests an auto top-up. Any number of nodes may run it at once (`skip locked`). It is one
 * statement, so a crash leaves nothing half done.
 * @param among a condition on the meters
 */
const chargeDue = (among: string) => `
with recursive due as (
  select call_id, account_id, rate, minutes, max_minutes, next_charge_at from call_meter
  where next_charge_at <= $1 and ${among} order by next_charge_at limit $2 for update skip locked
), holder as (
  select id, balance, user_id from account where id in (select account_id from due) order by id for no key update
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
const chargeAllDue = chargeDue('true')
const chargeOneDue = chargeDue('call_id = $4')

interface Charged {
  readonly call_id: string
  readonly user_id: string
  readonly paid: boolean
  readonly rate: number
  readonly next_charge_at: Date
}

/** Calls per statement; after a full batch the next follows at once. */
export const meterBatch = 500

/** Charges minutes that have begun; hangs up calls whose next minute cannot be paid. @returns how many minutes were due */
export async function chargeDueMinutes(services: Services): Promise<number> {
  let total = 0
  for (;;) {
    const charged = await services.db.query<Charged>(chargeAllDue, [
      services.clock.now(),
      meterBatch,
      lowBalanceMicroUsd,
    ])
    total += charged.length
    await announceCharges(services, charged)
    if (charged.length < meterBatch) return total
  }
}

/** The first minute is due at the answer, whatever the clock says. Later ones wait for the loop, which skips a leapt clock. */
export async function chargeFirstMinute(services: Services, callId: string): Promise<void> {
  const charged = await services.db.query<Charged>(chargeOneDue, [
    services.clock.now(),
    1,
    lowBalanceMicroUsd,
    callId,
  ])
  await announceCharges(services, charged)
}

/**
 * Repairs schedules after the clock was set: meters that are overdue or over a minute ahead are charged next in one
 * minute. Not sooner, so that no minute is charged before it has begun; settlement charges the rest.
 * @returns how many were moved
 */
export async function rescheduleMeters(db: Db, now: Date, toleranceMs: number): Promise<number> {
  const nextAtMs = now.getTime() + minuteMs
  const moved = await db.query(
    `update call_meter set next_charge_at = $1 where call_id in (
       select call_id from call_meter where next_charge_at < $2 or next_charge_at > $3 order by call_id for update)
     returning call_id`,
    [new Date(nextAtMs), new Date(now.getTime() - toleranceMs), new Date(nextAtMs + toleranceMs)],
  )
  return moved.length
}

async function announceCharges(services: Services, charged: readonly Charged[]): Promise<void> {
  observeCharges(services, charged)
  await hangUpUnpaid(
    services,
    charged.filter(call => !call.paid).map(call => call.call_id),
  )
  await announceBalances(services, [...new Set(charged.map(call => call.user_id))])
}

function observeCharges({ observe, clock }: Services, charged: readonly Charged[]): void {
  const now = clock.now().getTime()
  for (const { paid, rate, next_charge_at: began } of charged) {
    if (paid) observe?.({ kind: 'minute_charged', microUsd: rate, lagMs: now - began.getTime() })
  }
}

/**
 * Hangs up unpaid calls that this process carries; a heartbeat retries. Calls on a shared network are left to
 * `enforce-carrier-calls.ts`: a network that does not answer must not block the meter.
 */
async function hangUpUnpaid(services: Services, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0) return
  const own = await services.db.query<{ id: string }>(
    'select id from call where id = any($1::uuid[]) and node = $2',
    [callIds, services.nodeId],
  )
  for (const { id } of own) await hangUpWithoutCredits(services, id)
}

/** Never throws: the next heartbeat or reconciliation retries. */
export async function hangUpWithoutCredits(services: Services, callId: string): Promise<void> {
  try {
    await services.telephony.hangUp(callId, 'no_credits')
  } catch (error) {
    services.log.error({ err: error, callId }, 'hanging up an unpaid call failed')
  }
}

async function announceBalances({ db, notifier }: Services, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const rows = await db.query<{ user_id: string; balance: number }>(
    'select user_id, balance from account where user_id = any($1::uuid[])',
    [userIds],
  )
  for (const row of rows) notifier.balance(row.user_id, { credits: microUsdToUsd(row.balance) })
}
