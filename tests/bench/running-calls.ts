import type { Db } from '#server/db/port.ts'

/**
 * So many users with credit, each in a call whose first minute begins within `spreadMs` from `now`: with a
 * minute, as many minutes begin in each second as would with real calls.
 */
export async function addRunningCalls(db: Db, calls: number, now: Date, spreadMs: number): Promise<void> {
  await db.query(
    `insert into app_user (id, email, password_hash, created_at)
     select gen_random_uuid(), 'caller-' || n || '@example.com', 'none', $2 from generate_series(1, $1::int) n`,
    [calls, now],
  )
  await db.query(`insert into account (kind, user_id) select 'customer', id from app_user`)
  await db.query(
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'seed:' || id, (select id from account where kind = 'payments'), id, 100000000, $1
     from account where kind = 'customer'`,
    [now],
  )
  await db.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, answered_at, heartbeat_at, node)
     select gen_random_uuid(), id, '+12125550100', 'US', 20000, false, 3600000, 'answered', $1, $1, $1, 'bench' from app_user`,
    [now],
  )
  await db.query(
    `insert into call_meter (call_id, account_id, rate, max_minutes, next_charge_at, state)
     select call.id, account.id, rate, 60,
       answered_at + interval '1 millisecond' * (row_number() over (order by call.id) * $2::int / $1::int), 'running'
     from call join account on account.user_id = call.user_id`,
    [calls, spreadMs],
  )
  await db.query('analyze')
}
