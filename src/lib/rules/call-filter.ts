import type { CallGroup, CallOutcome } from '../api/calls.ts'

/** Which calls of the history are shown, as its fields hold it; an empty text lets all through. */
export interface CallFilter {
  /** A part of a number or of a contact's name. */
  readonly who: string
  /** The reader's own days, `2025-11-20`, both included. */
  readonly from: string
  readonly to: string
  readonly outcome: CallGroup | ''
}

export const everyCall: CallFilter = { who: '', from: '', to: '', outcome: '' }

/** The outcomes of a group, and its name; in the order of a list. */
export const callGroups: Readonly<
  Record<CallGroup, { readonly label: string; readonly outcomes: readonly CallOutcome[] }>
> = {
  talked: { label: 'Talked', outcomes: ['completed', 'limit'] },
  no_answer: { label: 'No answer', outcomes: ['no_answer', 'cancelled'] },
  busy: { label: 'Busy or declined', outcomes: ['busy', 'declined'] },
  cut_off: { label: 'Cut off', outcomes: ['connection_lost', 'interrupted'] },
  failed: { label: 'Failed', outcomes: ['failed', 'invalid_number'] },
}

const longestWho = 100

/** Whether the filter keeps any call out. */
export function isFiltering({ who, from, to, outcome }: CallFilter): boolean {
  return who.trim() !== '' || startOfDay(from) !== undefined || startOfDay(to) !== undefined || outcome !== ''
}

/** Whether the first day comes after the last one, so that no call can be between them. */
export function isBackwards({ from, to }: CallFilter): boolean {
  return startOfDay(from) !== undefined && startOfDay(to) !== undefined && from > to
}

/** The filter that an address carries; what it says wrongly is left out. */
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

/** The same as the query of an address, with its question mark; empty where nothing is kept out. */
export function writeCallFilter(filter: CallFilter): string {
  const { who, from, to, outcome } = filter
  const day = (text: string) => (startOfDay(text) === undefined ? '' : text)
  const fields = Object.entries({ who: who.trim(), from: day(from), to: day(to), outcome })
  const parts = fields.flatMap(([name, value]) =>
    value === '' ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

/** What the server is asked for: moments instead of days, by the clock of where this runs. */
export function callFilterQuery({ who, from, to, outcome }: CallFilter) {
  return {
    who: who.trim() === '' ? undefined : who.trim(),
    from: startOfDay(from)?.toISOString(),
    to: startOfDay(to, 1)?.toISOString(),
    outcome: outcome === '' ? undefined : outcome,
  }
}

/**
 * When a day begins where this runs, or the one so many days later; undefined for what is no day of this century, such
 * as one that is still being typed.
 */
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
