import type { CallTotals } from '#lib/api/calls.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { dayMs } from '#lib/time.ts'
import type { Db } from '../../db/port.ts'
import { type CallFilterQuery, createConditions, readWanted, type WantedCalls } from './history-filter.ts'

const ofCalls = `select 1 as calls, ceil(coalesce(answered_ms, 0) / 60000.0) as minutes, minutes_charged, cost, credited from call`
const ofSums = 'select calls, minutes, minutes_charged, cost, credited from'

interface SumRow {
  readonly calls: number
  readonly minutes: number
  readonly minutes_charged: number
  readonly cost: number
  readonly credited: number
}

/** Uses the sums by day and by number where possible, so that long histories are as fast as short ones. */
export async function totalCalls(db: Db, userId: string, filter: CallFilterQuery): Promise<CallTotals> {
  const { sql, values } = totalsStatement(await readWanted(db, userId, filter))
  const [row] = await db.query<SumRow>(sql, values)
  if (row === undefined) throw new Error('a sum has one row')
  return {
    calls: row.calls,
    minutes: row.minutes,
    minutesCharged: row.minutes_charged,
    spent: microUsdToUsd(row.cost - row.credited),
    refunded: microUsdToUsd(row.credited),
  }
}

function totalsStatement(wanted: WantedCalls) {
  const { values, put, ...conditions } = createConditions()
  const user = `user_id = ${put(wanted.userId, 'uuid')}`
  const where = (...parts: readonly string[]) => `where ${[user, ...parts].join(' and ')}`
  // Built where they are used: a statement must not have unused values.
  const outcomes = () => conditions.outcomes(wanted)
  const numbers = () => conditions.numbers(wanted)
  const placed = () => conditions.placed(wanted)
  const parts: string[] = []
  // Live calls have no outcome and are in no sum.
  if (wanted.outcomes === undefined)
    parts.push(`${ofCalls} ${where(`state <> 'ended'`, ...placed(), ...numbers())}`)
  if (wanted.numbers === undefined) {
    const { days, edges } = cutIntoDays(wanted)
    for (const edge of edges)
      parts.push(`${ofCalls} ${where(`state = 'ended'`, ...conditions.placed(edge), ...outcomes())}`)
    if (days !== undefined) {
      const within = [
        ...(days.from === undefined ? [] : [`day >= ${put(days.from, 'timestamptz')} at time zone 'UTC'`]),
        ...(days.to === undefined ? [] : [`day < ${put(days.to, 'timestamptz')} at time zone 'UTC'`]),
      ]
      parts.push(`${ofSums} call_sum_by_day ${where(...within, ...outcomes())}`)
    }
  } else if (wanted.from === undefined && wanted.to === undefined) {
    parts.push(`${ofSums} call_sum_by_number ${where(...outcomes(), ...numbers())}`)
  } else {
    parts.push(`${ofCalls} ${where(`state = 'ended'`, ...placed(), ...outcomes(), ...numbers())}`)
  }
  const sum = (column: string) => `coalesce(sum(${column}), 0)::bigint as ${column}`
  const columns = ['calls', 'minutes', 'minutes_charged', 'cost', 'credited'].map(sum).join(', ')
  return { sql: `select ${columns} from (${parts.join(' union all ')}) part`, values }
}

interface Span {
  readonly from: Date | undefined
  readonly to: Date | undefined
}

/** Splits a span into its whole UTC days and the partial days before and after them. */
function cutIntoDays({ from, to }: Span): { days: Span | undefined; edges: readonly Span[] } {
  const first = from && new Date(Math.ceil(from.getTime() / dayMs) * dayMs)
  const end = to && new Date(Math.floor(to.getTime() / dayMs) * dayMs)
  if (first !== undefined && end !== undefined && first >= end)
    return { days: undefined, edges: [{ from, to }] }
  const edges: Span[] = []
  if (from !== undefined && from.getTime() !== first?.getTime()) edges.push({ from, to: first })
  if (to !== undefined && to.getTime() !== end?.getTime()) edges.push({ from: end, to })
  return { days: { from: first, to: end }, edges }
}
