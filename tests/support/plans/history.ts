import type { Db, MigratableDatabase } from '#server/db/port.ts'

export interface HistorySize {
  readonly accounts: number
  /** Ended calls, spread over 400 days, with two transfers per three calls. */
  readonly calls: number
  /** Answered calls on a shared network. */
  readonly liveCalls: number
}

/** Charged minutes per call, each a transfer. */
const minutes = 3
const rate = 20_000

/** Fills a database like years of use, with a few statements and consistent books. */
export async function fillHistory(db: MigratableDatabase, size: HistorySize, now: Date): Promise<void> {
  await db.session(async session => {
    // With the triggers that keep balances this would take an hour.
    await session.script(
      'set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0',
    )
    for (const statement of statements(size, now)) await session.script(statement)
    await session.script('reset session_replication_role; analyze; reset statement_timeout')
  })
}

function statements({ accounts, calls, liveCalls }: HistorySize, now: Date): readonly string[] {
  const at = `'${now.toISOString()}'::timestamptz`
  const user = (n: string) => `md5('user ' || ${n})::uuid`
  const call = (n: string) => `md5('call ' || ${n})::uuid`
  const live = (n: string) => `md5('live ' || ${n})::uuid`
  // Spreads the calls evenly over the users, with no two adjacent calls of one user.
  const caller = (n: string) => `1 + (${n}::bigint * 7919) % ${accounts}`
  const account = (n: string) => `(select min(id) - 1 from account where kind = 'customer') + ${n}`
  const house = (kind: string) => `(select id from account where kind = '${kind}')`
  const ago = (n: string) => `${at} - (${n}::float8 / ${calls}) * interval '400 days' - interval '1 hour'`
  const number = (n: string) => `'+1212' || lpad((${n} % 10000000)::text, 7, '0')`
  const each = (many: number) => `from generate_series(1, ${many}) n`
  const maxCharged = rate * minutes * (Math.ceil(calls / accounts) + 1) + rate * 2 * liveCalls
  return [
    `insert into app_user (id, email, password_hash, email_verified_at, free_call, created_at, deleted_at, clearings)
     select ${user('n')}, 'user-' || n || '@example.com', 'x', ${at}, 'used', ${at} - interval '500 days',
       case when n % 20 = 0 then ${at} - interval '30 days' end, case when n % 20 = 0 then 2 else 0 end ${each(accounts)}`,
    `insert into account (kind, user_id) select 'customer', ${user('n')} ${each(accounts)} order by n`,
    `insert into session (id, user_id, device, kind, signed_in_at, last_seen_at)
     select md5('session ' || n)::uuid, ${user('n')}, 'Chrome on macOS', 'computer', ${at}, ${at} ${each(accounts)}`,
    `insert into refresh_token (hash, user_id, family, created_at, expires_at, session_ends_at)
     select sha256(n::text::bytea), ${user('n')}, md5('session ' || n)::uuid, ${at}, ${at} + interval '20 days',
       ${at} + interval '30 days' ${each(accounts)}`,
    `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, express_request_at, created_at, paid_at, receipt,
       intent_ref, checkout_ref, card_fingerprint)
     select md5('payment ' || n)::uuid, ${user('n')}, 'checkout', 'paid', 'local', 20000000, 0, false, ${at}, ${ago('n')}, ${ago('n')}, 1000000 + n,
       'pi_history_' || n, 'cs_history_' || n, 'card-' || n ${each(accounts)}`,
    `insert into transfer (key, debit_account, credit_account, amount, payment_id, created_at)
     select 'payment:' || md5('payment ' || n)::uuid, ${house('payments')}, ${account('n')}, 20000000, md5('payment ' || n)::uuid, ${ago('n')}
     ${each(accounts)}`,
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'adjustment:history-' || n, ${house('adjustments')}, ${account('n')}, ${maxCharged}, ${at} - interval '450 days' ${each(accounts)}`,
    `insert into payment_event (provider, id, kind, payment_id, received_at)
     select 'local', 'evt_history_' || n, 'paid', md5('payment ' || n)::uuid, ${at} - interval '10 days' ${each(accounts)}`,
    `insert into caller_id (user_id, phone_number, verified_at) select ${user('n')}, ${number('n')}, ${at} ${each(accounts)}`,
    `insert into caller_origin (user_id, local, seen_at) select ${user('n')}, true, ${at} ${each(accounts)}`,
    `insert into budget_counter (kind, scope, window_seconds, subject, used, max_used, ends_at)
     select 'mail', 'mailbox', 86400, 'history-' || n, 1, 5, ${at} + interval '12 hours' ${each(accounts)}`,
    `insert into job (kind, key, data, run_at, done_at)
     select 'mail', 'history-' || n, '{}', 'infinity', ${at} - interval '5 days' ${each(accounts)}`,
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, answered_at, ended_at,
       answered_ms, minutes_charged, cost, outcome, carrier_leg)
     select ${call('n')}, ${user(caller('n'))}, ${number('n')}, 'US', ${rate}, false, 3600000, 'ended', ${ago('n')}, ${ago('n')},
       ${ago('n')} + interval '${minutes} minutes', ${minutes * 60_000}, ${minutes}, ${minutes * rate}, 'completed', 'CA' || n ${each(calls)}`,
    `insert into call_meter (call_id, account_id, rate, minutes, max_minutes, next_charge_at, state)
     select ${call('n')}, ${account(`(${caller('n')})`)}, ${rate}, ${minutes}, 60, null, 'settled' ${each(calls)}`,
    `insert into transfer (key, debit_account, credit_account, amount, call_id, created_at)
     select 'call:' || ${call('n')} || ':' || minute, ${account(`(${caller('n')})`)}, ${house('revenue')}, ${rate}, ${call('n')}, ${ago('n')}
     ${each(calls)} cross join generate_series(1, ${minutes}) minute`,
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, answered_at, heartbeat_at,
       carrier_leg, inquire_at)
     select ${live('n')}, ${user(caller('n'))}, ${number('n')}, 'US', ${rate}, false, 3600000, 'answered', ${at} - interval '90 seconds',
       ${at} - interval '80 seconds', ${at} - interval '20 seconds', 'CALIVE' || n,
       ${at} + interval '2 minutes' + n * interval '1 millisecond' ${each(liveCalls)}`,
    `insert into call_meter (call_id, account_id, rate, minutes, max_minutes, next_charge_at, state)
     select ${live('n')}, ${account(`(${caller('n')})`)}, ${rate}, 2, 60, ${at} + interval '40 seconds', 'running' ${each(liveCalls)}`,
    `insert into transfer (key, debit_account, credit_account, amount, call_id, created_at)
     select 'call:' || ${live('n')} || ':' || minute, ${account(`(${caller('n')})`)}, ${house('revenue')}, ${rate}, ${live('n')}, ${at}
     ${each(liveCalls)} cross join generate_series(1, 2) minute`,
    `update account set balance = posted.amount from (
       select account_id, sum(amount)::bigint as amount from (
         select credit_account as account_id, amount from transfer union all select debit_account, -amount from transfer) entry
       group by account_id) posted
     where posted.account_id = account.id and account.kind = 'customer'`,
  ]
}

export async function somebodyOf(db: Db, calls: boolean): Promise<{ id: string; email: string }> {
  const [user] = await db.query<{ id: string; email: string }>(
    `select id, email from app_user where deleted_at is null
       and exists (select 1 from call where user_id = app_user.id and state <> 'ended') = $1
       and exists (select 1 from call where user_id = app_user.id and state = 'ended') limit 1`,
    [calls],
  )
  if (user === undefined) throw new Error('the history has nobody of whom that is true')
  return user
}
