import { useMemo } from 'react'
import type { OpsInterval, OpsOverview, OpsSpan } from '#lib/api/ops.ts'
import { Gauge } from './Gauge.tsx'
import { averageOf, type Column, columns, peakOf, sumOf, valueText } from './wording.ts'

const clockOf = {
  hour: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }),
  week: new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' }),
} as const

/** Constant references, so that a plot is redrawn only when its intervals change. */
const shown = {
  calls: [columns.talked, columns.unanswered, columns.failed],
  answerRate: [columns.answerRate],
  length: [columns.length],
  setUp: [columns.setUp],
  money: [columns.charged, columns.toppedUp],
  meterLag: [columns.meterLag],
  jobs: [columns.jobs],
  webhooks: [columns.webhooks],
  providers: [columns.providers],
} as const

const none = 'none'

function average(column: Column, intervals: readonly OpsInterval[]): string {
  const value = averageOf(column, intervals)
  return value === null ? none : valueText(value, column.unit)
}

export function Gauges({ overview, span }: { readonly overview: OpsOverview; readonly span: OpsSpan }) {
  // Polling every 15 s usually returns equal data; the JSON keeps the reference stable.
  const snapshot = JSON.stringify(overview.intervals)
  const intervals = useMemo(() => JSON.parse(snapshot) as OpsInterval[], [snapshot])
  const peak = (column: Column) => {
    const found = peakOf(column, intervals)
    if (found === undefined) return 'no peak'
    return `peak ${valueText(found.value, column.unit)} at ${clockOf[span].format(new Date(found.at))}`
  }
  const sum = (column: Column) => valueText(sumOf(column, intervals), column.unit)
  const calls = sumOf(columns.calls, intervals)
  const answered = intervals.reduce((total, one) => total + one.answered, 0)
  const rest = { intervals, span }
  return (
    <div className="gauges">
      <Gauge
        label="Calls"
        figure={valueText(calls, 'count')}
        summary={peak(columns.calls)}
        columns={shown.calls}
        {...rest}
      />
      <Gauge
        label="Answer rate"
        figure={calls === 0 ? none : valueText(answered / calls, 'share')}
        summary={`${valueText(answered, 'count')} of ${valueText(calls, 'count')} calls`}
        columns={shown.answerRate}
        {...rest}
      />
      <Gauge
        label="Average call"
        figure={average(columns.length, intervals)}
        summary={peak(columns.length)}
        columns={shown.length}
        {...rest}
      />
      <Gauge
        label="Set-up time, average"
        figure={average(columns.setUp, intervals)}
        summary={peak(columns.setUp)}
        columns={shown.setUp}
        {...rest}
      />
      <Gauge
        label="Charged"
        figure={sum(columns.charged)}
        summary={peak(columns.charged)}
        columns={shown.money}
        {...rest}
      />
      <Gauge
        label="Meter lag"
        figure={valueText(overview.meterDueSeconds, 'seconds')}
        summary={peak(columns.meterLag)}
        columns={shown.meterLag}
        over={overview.meterDueSeconds > 30}
        {...rest}
      />
      <Gauge
        label="Jobs waiting"
        figure={valueText(overview.jobs.due, 'count')}
        summary={peak(columns.jobs)}
        columns={shown.jobs}
        over={overview.jobs.oldestSeconds > 120}
        {...rest}
      />
      <Gauge
        label="Webhook failures"
        figure={sum(columns.webhooks)}
        summary={peak(columns.webhooks)}
        columns={shown.webhooks}
        bars
        {...rest}
      />
      <Gauge
        label="Provider errors"
        figure={sum(columns.providers)}
        summary={peak(columns.providers)}
        columns={shown.providers}
        bars
        {...rest}
      />
    </div>
  )
}
