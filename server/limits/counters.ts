import type { Db } from '../db/port.ts'

interface CounterKey {
  readonly kind: string
  readonly scope: string
  readonly windowSeconds: number
  /** A keyed hash, or a value that may be stored in clear. */
  readonly subject: string
}

export interface CounterUse extends CounterKey {
  /** Uses, or micro-dollars. */
  readonly quantity: number
  /** Max within a window, in the same unit as `quantity`. */
  readonly max: number
  /** End of the window, if this use starts it. */
  readonly endsAt: Date
}

export type Counted<Use extends CounterUse> = Use & {
  /** All uses in the window, including this one; may exceed `max`. */
  readonly used: number
}

export interface UseToReturn extends CounterKey {
  readonly quantity: number
  /** End of its window, ISO 8601: nothing is returned to a window that is over. Null: return to the current window. */
  readonly endsAt: string | null
}

const counterColumns = `counter.kind, counter.scope, counter.window_seconds as "windowSeconds", counter.subject,
  counter.used, counter.ends_at`
interface CounterRow extends CounterKey {
  readonly used: number
  readonly ends_at: Date
}

/** Sorts keys in byte order. Locking counters in one order prevents deadlocks. */
function inLockOrder<Key extends CounterKey>(keys: readonly Key[]): Key[] {
  return [...keys].sort(
    (one, other) =>
      compare(one.kind, other.kind) ||
      compare(one.scope, other.scope) ||
      one.windowSeconds - other.windowSeconds ||
      compare(one.subject, other.subject),
  )
}

function nameOf({ kind, scope, windowSeconds, subject }: CounterKey): string {
  return `${kind} ${scope} ${windowSeconds} ${subject}`
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function byName(rows: readonly CounterRow[]): ReadonlyMap<string, CounterRow> {
  return new Map(rows.map(row => [nameOf(row), row]))
}

/**
 * Adds uses regardless of the max, and locks their counters until the transaction ends.
 * @param uses each key at most once
 * @returns the same uses, in lock order
 */
export async function addUses<Use extends CounterUse>(
  tx: Db,
  uses: readonly Use[],
  now: Date,
): Promise<Counted<Use>[]> {
  const sorted = inLockOrder(uses)
  if (sorted.length === 0) return []
  // An end more than one window away was written by a clock that was ahead.
  const rows = await tx.query<CounterRow>(
    `insert into budget_counter as counter (kind, scope, window_seconds, subject, used, max_used, ends_at)
     select kind, scope, "windowSeconds", subject, quantity, max, "endsAt"
     from jsonb_to_recordset($1::jsonb) as
       use(kind text, scope text, "windowSeconds" int, subject text, quantity bigint, max bigint, "endsAt" timestamptz)
     on conflict (kind, scope, window_seconds, subject) do update set
       used = case when counter.ends_at <= $2 then excluded.used else counter.used + excluded.used end,
       max_used = excluded.max_used,
       ends_at = case when counter.ends_at <= $2 then excluded.ends_at else least(counter.ends_at, excluded.ends_at) end
     returning ${counterColumns}`,
    [JSON.stringify(sorted), now],
  )
  const counted = byName(rows)
  return sorted.map(use => {
    const row = counted.get(nameOf(use))
    if (row === undefined) throw new Error('a use was not counted')
    return { ...use, used: row.used, endsAt: row.ends_at }
  })
}

export async function returnUses(tx: Db, uses: readonly UseToReturn[]): Promise<void> {
  if (uses.length === 0) return
  await tx.query(
    `with locked as (
       select counter.kind, counter.scope, counter.window_seconds, counter.subject, use.quantity
       from budget_counter counter
       join jsonb_to_recordset($1::jsonb) as
         use(kind text, scope text, "windowSeconds" int, subject text, quantity bigint, "endsAt" timestamptz)
       on (use.kind, use.scope, use."windowSeconds", use.subject)
         = (counter.kind, counter.scope, counter.window_seconds, counter.subject)
         and coalesce(use."endsAt", counter.ends_at) = counter.ends_at
       order by counter.kind, counter.scope, counter.window_seconds, counter.subject for update of counter)
     update budget_counter counter set used = greatest(0, counter.used - locked.quantity)
     from locked
     where (counter.kind, counter.scope, counter.window_seconds, counter.subject)
       = (locked.kind, locked.scope, locked.window_seconds, locked.subject)`,
    [JSON.stringify(uses)],
  )
}

/** What `addUses` would return, without counting. */
export async function foreseeUses<Use extends CounterUse>(
  db: Db,
  uses: readonly Use[],
  now: Date,
): Promise<Counted<Use>[]> {
  const rows = await db.query<CounterRow>(
    // PostgreSQL takes the uses for a hundred, and would read a small table whole. `offset 0` has it look each one up.
    `select ${counterColumns} from jsonb_to_recordset($1::jsonb)
       as use(kind text, scope text, "windowSeconds" int, subject text)
     cross join lateral (
       select * from budget_counter
       where (kind, scope, window_seconds, subject) = (use.kind, use.scope, use."windowSeconds", use.subject)
         and ends_at > $2 offset 0) counter`,
    [JSON.stringify(uses), now],
  )
  const open = byName(rows)
  return uses.map(use => {
    const row = open.get(nameOf(use))
    return { ...use, used: (row?.used ?? 0) + use.quantity, endsAt: row?.ends_at ?? use.endsAt }
  })
}

export async function forgetUses(db: Db, { kind, scope, windowSeconds, subject }: CounterKey): Promise<void> {
  await db.query(
    'delete from budget_counter where kind = $1 and scope = $2 and window_seconds = $3 and subject = $4',
    [kind, scope, windowSeconds, subject],
  )
}

/** Deletes windows that are over. Skips locked rows: their holder starts a new window. */
export async function sweepCounters(db: Db, now: Date): Promise<void> {
  await db.query(
    `delete from budget_counter where (kind, scope, window_seconds, subject) in (
       select kind, scope, window_seconds, subject from budget_counter where ends_at <= $1 for update skip locked)`,
    [now],
  )
}
