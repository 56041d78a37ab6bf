import { chargeDueMinutes } from '#server/services/calls/meter.ts'
import { findBreaches } from '#support/books.ts'
import { createWorld, type World } from '#support/world.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

const rounds = 5

/** Charges a second when so many calls run at once on the embedded database, and the books afterwards. */
export async function benchMetering(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const calls of [1000, 10_000]) {
    const world = await createWorld()
    try {
      await addRunningCalls(world, calls)
      await chargeDueMinutes(world.services)
      const perSecond: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        world.clock.advance(60_001)
        const start = performance.now()
        const charged = await chargeDueMinutes(world.services)
        if (charged !== calls) throw new Error(`${charged} of ${calls} calls were charged`)
        perSecond.push(charged / ((performance.now() - start) / 1000))
      }
      const breaches = await findBreaches(world.db)
      if (breaches.length > 0) throw new Error(`the books do not balance: ${JSON.stringify(breaches[0])}`)
      figures.push({
        what: `charges a second with ${calls} calls at once (embedded database)`,
        value: median(perSecond).toFixed(0),
      })
    } finally {
      await world.close()
    }
  }
  return figures
}

/** Users with credit, each in an answered call whose first minute is due. */
async function addRunningCalls(world: World, calls: number): Promise<void> {
  const { db, clock } = world
  await db.query(
    `insert into app_user (id, email, password_hash, created_at)
     select gen_random_uuid(), 'caller-' || n || '@example.com', 'none', $2 from generate_series(1, $1::int) n`,
    [calls, clock.now()],
  )
  await db.query(`insert into account (kind, user_id) select 'customer', id from app_user`)
  await db.query(
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'seed:' || id, (select id from account where kind = 'payments'), id, 100000000, $1
     from account where kind = 'customer'`,
    [clock.now()],
  )
  await db.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, answered_at, heartbeat_at)
     select gen_random_uuid(), id, '+12125550100', 'US', 20000, false, 3600000, 'answered', $1, $1, $1 from app_user`,
    [clock.now()],
  )
  await db.query(
    `insert into call_meter (call_id, account_id, rate, max_minutes, next_charge_at, state)
     select call.id, account.id, rate, 60, answered_at, 'running' from call join account on account.user_id = call.user_id`,
  )
}
