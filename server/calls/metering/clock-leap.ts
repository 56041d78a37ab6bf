import type { FastifyBaseLogger } from 'fastify'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { Clock } from '../../process/clock.ts'
import { rescheduleMeters } from './meter.ts'

/** NTP slews a clock by at most half a millisecond a second; a larger jump means that the clock was set. */
const maxLeapMs = 5000

/** A wrongly set clock is usually corrected within minutes. Calls left unmetered until then are charged at their end. */
export const steadyMs = 5 * minuteMs

/**
 * Skips turns of work while the wall clock has leapt (ADR-57): an hour forward would charge an hour to every live call.
 * Settlement charges what was skipped, by answered seconds. A clock that agrees with the database's is trusted again:
 * at once if there is no call to charge, as after a computer's sleep, otherwise after a steady period. Meters that the
 * leap put off schedule then restart their next minute.
 */
export function skipWhileClockLeapt(
  services: Pick<Services, 'db' | 'clock' | 'observe'>,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
  databaseNow: () => Promise<Date> = () => readDatabaseClock(services.db),
): (turn: () => Promise<unknown>) => () => Promise<unknown> {
  const { db, clock, observe } = services
  let offsetMs = offsetOf(clock)
  let steady: { readonly offsetMs: number; readonly sinceMs: number } | undefined
  let reported: string | undefined
  const refuse = (what: string, facts: Readonly<Record<string, number>>): false => {
    if (reported !== what) {
      observe?.({ kind: 'work_failed', work: 'metering' })
      log.error(facts, what)
    }
    reported = what
    return false
  }
  const believe = (facts: Readonly<Record<string, number>>): true => {
    log.warn(facts, 'the wall clock is trusted again')
    steady = undefined
    reported = undefined
    return true
  }
  const look = async (): Promise<boolean> => {
    const newOffsetMs = offsetOf(clock)
    const leapMs = newOffsetMs - offsetMs
    if (Math.abs(leapMs) <= maxLeapMs) {
      return steady === undefined || believe({ leapMs })
    }
    if (steady === undefined || Math.abs(newOffsetMs - steady.offsetMs) > maxLeapMs)
      steady = { offsetMs: newOffsetMs, sinceMs: clock.monotonicMs() }
    const isSteady = clock.monotonicMs() - steady.sinceMs >= steadyMs
    if (!isSteady && (await isAnyCallMetered(db))) {
      return refuse('the wall clock has leapt: this process charges nothing for now', { leapMs })
    }
    const aheadMs = await aheadOf(databaseNow, clock)
    if (Math.abs(aheadMs) > maxLeapMs) {
      return refuse(
        "the wall clock has leapt away from the database's: this process charges nothing until they agree",
        { leapMs, aheadMs },
      )
    }
    const movedMeters = await rescheduleMeters(db, clock.now(), maxLeapMs)
    offsetMs = newOffsetMs
    return believe({ leapMs, movedMeters })
  }
  // One check at a time for all turns: two would report the same leap twice.
  let looking: Promise<boolean> | undefined
  const maySpend = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  return turn => async () => {
    if (await maySpend()) await turn()
  }
}

/** Wall clock minus monotonic clock, in milliseconds; constant unless the wall clock is set. */
function offsetOf(clock: Clock): number {
  return clock.now().getTime() - clock.monotonicMs()
}

async function isAnyCallMetered(db: Db): Promise<boolean> {
  const [row] = await db.query<{ metered: boolean }>(
    'select exists(select from call_meter where next_charge_at is not null) as metered',
  )
  return row?.metered === true
}

async function readDatabaseClock(db: Db): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now')
  if (row === undefined) throw new Error('the database did not tell its time')
  return row.now
}

/** Min lead of our clock over the database's, in milliseconds: the database may have answered at any moment of the query. */
async function aheadOf(databaseNow: () => Promise<Date>, clock: Clock): Promise<number> {
  const askedAtMs = clock.now().getTime()
  const databaseMs = (await databaseNow()).getTime()
  const answeredAtMs = clock.now().getTime()
  if (databaseMs < askedAtMs) return askedAtMs - databaseMs
  return Math.min(0, answeredAtMs - databaseMs)
}
