import type {
  BrowserEngine,
  BrowserSystem,
  OpsBrowser,
  OpsIncident,
  OpsInterval,
  OpsOverview,
} from '#lib/api/ops.ts'

export type Unit = 'count' | 'share' | 'seconds' | 'usd'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

/** @param value for `share`: 0 to 1 */
export function valueText(value: number, unit: Unit): string {
  switch (unit) {
    case 'count':
      return whole.format(value)
    case 'share':
      return `${whole.format(value * 100)}%`
    case 'seconds':
      return duration(value)
    case 'usd':
      return dollars.format(value)
    default:
      return unit satisfies never
  }
}

/** A duration in its largest fitting unit, with tenths below ten. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 600) return `${Math.round(seconds / 6) / 10} min`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

export interface Trouble {
  readonly grave: boolean
  readonly text: string
  /** What to do or look at, as a sentence. */
  readonly next: string
}

const late = { meterSeconds: 30, jobSeconds: 120, failures: 5 }

/** Present troubles, critical ones first. Same limits as the alert rules. */
export function findTroubles(now: OpsOverview): Trouble[] {
  const { lastHour } = now
  const running = now.processes.filter(({ state }) => state === 'running').length
  const silent = now.processes.filter(({ state }) => state === 'silent').length
  const grave = (text: string, next: string): Trouble => ({ grave: true, text, next })
  const slight = (text: string, next: string): Trouble => ({ grave: false, text, next })
  const found = [
    running === 0 && slight('No process has reported yet', 'Each one reports within a minute of starting.'),
    silent > 0 &&
      grave(`${plural(silent, 'process is', 'processes are')} silent`, 'Check that its machine is up.'),
    now.redis === 'away' &&
      slight(
        "Redis doesn't answer",
        'Until it does, each process counts limits and sends live updates on its own.',
      ),
    now.meterDueSeconds > late.meterSeconds &&
      grave(
        `A minute has been waiting ${duration(now.meterDueSeconds)} to be charged`,
        'Search the log for “metering failed”.',
      ),
    now.books.differences !== null &&
      now.books.differences > 0 &&
      grave(
        `The books differ in ${plural(now.books.differences, 'place', 'places')}`,
        'Run npm run admin -- reconcile.',
      ),
    now.pausedPrefixes > 0 &&
      grave(
        `Calls to ${plural(now.pausedPrefixes, 'expensive prefix', 'expensive prefixes')} are paused`,
        'Search the log for “calls to an expensive prefix are paused”.',
      ),
    ...now.scarceBudgets.map(({ kind, used }) =>
      grave(budgetText(kind, used), 'See “Budget runs out” in the runbook.'),
    ),
    now.jobs.oldestSeconds > late.jobSeconds &&
      slight(
        `A job has been waiting ${duration(now.jobs.oldestSeconds)}`,
        'Search the log for “a job failed”.',
      ),
    now.jobs.givenUp > 0 &&
      slight(
        `${plural(now.jobs.givenUp, 'e-mail', 'e-mails')} couldn't be delivered today`,
        'Run npm run doctor.',
      ),
    lastHour.webhookFailures > late.failures &&
      grave(
        `${lastHour.webhookFailures} provider events were rejected in the last hour`,
        'Run npm run doctor.',
      ),
    lastHour.providerErrors > late.failures &&
      grave(
        `${lastHour.providerErrors} requests to providers failed in the last hour`,
        'See the providers below.',
      ),
  ]
  return found
    .filter(trouble => trouble !== false)
    .sort((one, other) => Number(other.grave) - Number(one.grave))
}

/** @param kind the budget's name in the policy @param used 0 to 1 */
export function budgetText(kind: string, used: number): string {
  return `${valueText(used, 'share')} of today’s budget for ${kind.replaceAll('_', ' ')}s is used up`
}

/** `1 place`, `2 places`. */
export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

export function incidentText(incident: OpsIncident): string {
  switch (incident.kind) {
    case 'meter_late':
      return `The meter ran ${duration(incident.worstSeconds)} late`
    case 'webhooks_refused':
      return `${plural(incident.failures, 'provider event was', 'provider events were')} rejected`
    case 'provider_errors':
      return `${plural(incident.errors, 'request', 'requests')} to ${incident.provider} failed`
    default:
      return incident satisfies never
  }
}

const engineNames: Readonly<Record<BrowserEngine, string>> = {
  chromium: 'Chromium',
  firefox: 'Firefox',
  webkit: 'WebKit',
  other: 'Unknown engine',
}
const systemNames: Readonly<Record<BrowserSystem, string>> = {
  ios: 'iOS',
  android: 'Android',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  chromeos: 'ChromeOS',
  other: 'unknown system',
}

export function browserName({ engine, system }: Pick<OpsBrowser, 'engine' | 'system'>): string {
  return `${engineNames[engine]} on ${systemNames[system]}`
}

/** `18`, `17–26`, or null where no browser said its version. */
export function versionsText({
  oldestVersion,
  newestVersion,
}: Pick<OpsBrowser, 'oldestVersion' | 'newestVersion'>): string | null {
  if (oldestVersion === null || newestVersion === null) return null
  return oldestVersion === newestVersion ? `${oldestVersion}` : `${oldestVersion}–${newestVersion}`
}

/** With fewer calls a rate says little: one call more would move it by five points. */
const minRatedCalls = 20

const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** A share of calls, with tenths of a percent below ten; null with too few calls. */
export function rateText(part: number, calls: number): string | null {
  if (calls < minRatedCalls) return null
  const percent = (part / calls) * 100
  return `${(percent < 10 ? tenths : whole).format(percent)}%`
}

/** One of the set-up times of a row; null with too few calls. */
export function setUpText(
  { answered, setUpSeconds }: Pick<OpsBrowser, 'answered' | 'setUpSeconds'>,
  which: 'median' | 'ninetieth',
): string | null {
  return setUpSeconds === null || answered < minRatedCalls ? null : duration(setUpSeconds[which])
}

/** How a column's total or maximum is formed from its intervals. */
export interface Column {
  readonly label: string
  readonly unit: Unit
  readonly of: (interval: OpsInterval) => number | null
}

const callsOf = (interval: OpsInterval) =>
  Object.values(interval.calls).reduce<number>((sum, count) => sum + (count ?? 0), 0)
const failedOf = ({ calls }: OpsInterval) => (calls.failed ?? 0) + (calls.cut_off ?? 0)

export const columns = {
  calls: { label: 'Calls', unit: 'count', of: callsOf },
  talked: { label: 'Talked', unit: 'count', of: ({ calls }) => calls.talked ?? 0 },
  unanswered: {
    label: 'Not answered',
    unit: 'count',
    of: ({ calls }) => (calls.no_answer ?? 0) + (calls.busy ?? 0),
  },
  failed: { label: 'Failed or cut off', unit: 'count', of: failedOf },
  answerRate: {
    label: 'Answer rate',
    unit: 'share',
    of: interval => (callsOf(interval) === 0 ? null : interval.answered / callsOf(interval)),
  },
  length: { label: 'Average call', unit: 'seconds', of: ({ callSeconds }) => callSeconds },
  setUp: { label: 'Set-up time', unit: 'seconds', of: ({ setUpSeconds }) => setUpSeconds },
  charged: { label: 'Charged', unit: 'usd', of: ({ charged }) => charged },
  toppedUp: { label: 'Topped up', unit: 'usd', of: ({ toppedUp }) => toppedUp },
  meterLag: { label: 'Meter lag', unit: 'seconds', of: ({ meterLagSeconds }) => meterLagSeconds },
  jobs: { label: 'Jobs waiting', unit: 'count', of: ({ jobsDue }) => jobsDue },
  webhooks: { label: 'Webhook failures', unit: 'count', of: ({ webhookFailures }) => webhookFailures },
  providers: { label: 'Provider errors', unit: 'count', of: ({ providerErrors }) => providerErrors },
} as const satisfies Record<string, Column>

/** A column's maximum and its time; undefined when it has no values or only zeros. */
export function peakOf(
  column: Column,
  intervals: readonly OpsInterval[],
): { value: number; at: string } | undefined {
  let peak: { value: number; at: string } | undefined
  for (const interval of intervals) {
    const value = column.of(interval)
    if (value !== null && value > (peak?.value ?? 0)) peak = { value, at: interval.at }
  }
  return peak
}

export function sumOf(column: Column, intervals: readonly OpsInterval[]): number {
  return intervals.reduce((sum, interval) => sum + (column.of(interval) ?? 0), 0)
}

/** The average of per-interval averages, weighted by the calls answered in each interval. */
export function averageOf(column: Column, intervals: readonly OpsInterval[]): number | null {
  const answered = intervals.reduce((sum, one) => sum + (column.of(one) === null ? 0 : one.answered), 0)
  if (answered === 0) return null
  return intervals.reduce((sum, one) => sum + (column.of(one) ?? 0) * one.answered, 0) / answered
}
