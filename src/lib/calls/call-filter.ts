import type { CallGroup, CallOutcome } from '../api/calls.ts'

export interface CallFilter {
  readonly who: string
  /** Local days, `2025-11-20`, both included. */
  readonly from: string
  readonly to: string
  readonly outcome: CallGroup | ''
}

export const everyCall: CallFilter = { who: '', from: '', to: '', outcome: '' }

export const callGroups: Readonly<Record<CallGroup, readonly CallOutcome[]>> = {
  talked: ['completed', 'limit'],
  no_answer: ['no_answer', 'cancelled'],
  busy: ['busy', 'declined'],
  cut_off: ['connection_lost', 'interrupted'],
  failed: ['failed', 'invalid_number'],
}

const longestWho = 100

export function isFiltering(filter: CallFilter): boolean {
  return countFilters(filter) > 0
}

/** How many of its fields filter. */
export function countFilters({ who, from, to, outcome }: CallFilter): number {
  const days = [from, to].filter(day => startOfDay(day) !== undefined)
  return [who.trim(), outcome].filter(text => text !== '').length + days.length
}

export function isBackwards({ from, to }: CallFilter): boolean {
  return startOfDay(from) !== undefined && startOfDay(to) !== undefined && from > to
}

/** Reads the filter from a URL, ignoring invalid fields. */
export function readCallFilter(search: { get(name: string): string | null }): CallFilter {
  const day = (name: string) => {
    const text = search.get(name) ?? ''
    return startOfDay(text) === undefined ? '' : text
  }
  const outcome = search.get('outcome') ?? ''
  return {
    who: (search.get('who') ?? '').slice(0, longestWho),
    from: day('from'),
    to: day('to'),
    outcome: isGroup(outcome) ? outcome : '',
  }
}

/** Serialises the filter for a URL fragment, which browsers do not send; empty without a filter. */
export function writeCallFilter(filter: CallFilter): string {
  const { who, from, to, outcome } = filter
  const day = (text: string) => (startOfDay(text) === undefined ? '' : text)
  const fields = Object.entries({ who: who.trim(), from: day(from), to: day(to), outcome })
  const parts = fields.flatMap(([name, value]) =>
    value === '' ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return parts.length > 0 ? `#${parts.join('&')}` : ''
}

/** Request body: days become moments in the local time zone. */
export function callFilterBody({ who, from, to, outcome }: CallFilter) {
  return {
    who: who.trim() === '' ? undefined : who.trim(),
    from: startOfDay(from)?.toISOString(),
    to: startOfDay(to, 1)?.toISOString(),
    outcome: outcome === '' ? undefined : outcome,
  }
}

/** Start of a local day, plus `daysLater`; undefined unless it is a complete day of this century. */
function startOfDay(day: string, daysLater = 0): Date | undefined {
  const [, year, month, date] = /^(20\d\d)-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === undefined) return undefined
  const [y, m, d] = [Number(year), Number(month) - 1, Number(date)]
  const start = new Date(y, m, d)
  if (start.getMonth() !== m || start.getDate() !== d) return undefined
  return new Date(y, m, d + daysLater)
}

function isGroup(text: string): text is CallGroup {
  return Object.hasOwn(callGroups, text)
}
