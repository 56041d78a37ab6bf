import { usdToMicroUsd } from '#lib/money/money.ts'
import type { Services } from '../../context.ts'
import { listTransfers } from '../../ledger/transfers.ts'
import { money, time } from './cells.ts'
import { type ExportRow, paged, pageSize, paging } from './paged.ts'

interface CallLine {
  readonly sort_at: Date
  readonly sort_id: string
  readonly to_number: string
  readonly iso_code: string
  readonly caller_id: string | null
  readonly answered_at: Date | null
  readonly ended_at: Date | null
  readonly answered_ms: number | null
  readonly outcome: string | null
  readonly free: boolean
  readonly purpose: string | null
  readonly minutes_charged: number
  readonly rate: number
  readonly surcharge: number
  readonly cost: number
  readonly credited: number | null
  readonly credit_reason: string | null
  readonly measured_seconds: number | null
  readonly heard_seconds: number | null
  readonly mos: number | null
  readonly loss_percent: number | null
  readonly jitter_ms: number | null
  readonly round_trip_ms: number | null
  readonly engine: string | null
  readonly engine_version: number | null
  readonly system: string | null
}

export function readCalls({ db }: Services, userId: string, until: Date) {
  return paged<CallLine>(
    db,
    `select placed_at as sort_at, id as sort_id, to_number, iso_code, caller_id, answered_at, ended_at, answered_ms,
       outcome, free, purpose, minutes_charged, rate, surcharge, cost, call_credit.amount as credited, reason as credit_reason,
       seconds as measured_seconds, heard_seconds, mos, loss_percent, jitter_ms, round_trip_ms,
       engine, engine_version, system
     from call left join call_credit on call_credit.call_id = id left join call_quality on call_quality.call_id = id
     where call.user_id = $1 and ${paging('placed_at', 'id')}`,
    userId,
    until,
    row => ({
      id: row.sort_id,
      to: row.to_number,
      country: row.iso_code,
      caller_id: row.caller_id,
      placed_at: time(row.sort_at),
      answered_at: time(row.answered_at),
      ended_at: time(row.ended_at),
      talked_seconds: Math.ceil((row.answered_ms ?? 0) / 1000),
      outcome: row.outcome,
      measured_seconds: row.measured_seconds,
      heard_seconds: row.heard_seconds,
      mos: row.mos,
      loss_percent: row.loss_percent,
      jitter_ms: row.jitter_ms,
      round_trip_ms: row.round_trip_ms,
      engine: row.engine,
      engine_version: row.engine_version,
      system: row.system,
      ...money('credited', row.credited),
      credit_reason: row.credit_reason,
      free: row.free,
      test: row.purpose === 'test',
      minutes_charged: row.minutes_charged,
      ...money('rate_per_minute', row.rate),
      ...money('surcharge_per_minute', row.surcharge),
      ...money('cost', row.cost),
    }),
  )
}

interface CountryLine {
  readonly iso_code: string
  readonly first_answered_at: Date
  readonly last_placed_at: Date
  readonly calls: number
  readonly minutes: number
}

export async function* readCalledCountries(
  { db }: Services,
  userId: string,
  until: Date,
): AsyncGenerator<readonly ExportRow[]> {
  const rows = await db.query<CountryLine>(
    `select iso_code, first_answered_at, last_placed_at, calls, minutes from called_country
     where user_id = $1 and first_answered_at <= $2 order by first_answered_at, iso_code`,
    [userId, until],
  )
  yield rows.map(row => ({
    country: row.iso_code,
    first_answered_at: time(row.first_answered_at),
    last_placed_at: time(row.last_placed_at),
    calls: row.calls,
    minutes: row.minutes,
  }))
}

/** As the billing page lists them: with the balance after each, computed from the newest. */
export async function* readCredits({ db }: Services, userId: string, until: Date) {
  let cursor: string | undefined
  do {
    const page = await listTransfers(db, userId, { cursor, limit: pageSize }, until)
    if (page.transfers.length > 0) {
      yield page.transfers.map(
        ({ id, at, kind, description, amount: amountUsd, balance: balanceUsd, call, payment }) => ({
          id,
          at,
          kind,
          description,
          ...money('amount', usdToMicroUsd(amountUsd)),
          ...money('balance_after', usdToMicroUsd(balanceUsd)),
          call_id: call?.id ?? null,
          payment_id: payment?.id ?? null,
        }),
      )
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

interface VerificationLine {
  readonly sort_at: Date
  readonly sort_id: string
  readonly phone_number: string
  readonly outcome: string | null
  readonly ended_at: Date | null
}

export function readVerificationCalls({ db }: Services, userId: string, until: Date) {
  return paged<VerificationLine>(
    db,
    `select asked_at as sort_at, id as sort_id, phone_number, outcome, ended_at from verification_call
     where user_id = $1 and ${paging('asked_at', 'id')}`,
    userId,
    until,
    row => ({
      id: row.sort_id,
      phone_number: row.phone_number,
      asked_at: time(row.sort_at),
      outcome: row.outcome,
      ended_at: time(row.ended_at),
    }),
  )
}
