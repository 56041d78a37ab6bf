import { searchContacts } from '#lib/account/contacts.ts'
import type { callTotals } from '#lib/api/calls.ts'
import type { RequestOutput } from '#lib/api/endpoint.ts'
import { callGroups } from '#lib/calls/call-filter.ts'
import { keepDialable } from '#lib/numbers/dialable.ts'
import { listContacts } from '../../contacts/contacts.ts'
import type { Db, Parameter } from '../../db/port.ts'

export type CallFilterQuery = RequestOutput<typeof callTotals>['body']

export interface WantedCalls {
  readonly userId: string
  readonly from: Date | undefined
  /** Exclusive. */
  readonly to: Date | undefined
  readonly outcomes: readonly string[] | undefined
  readonly numbers: WantedNumbers | undefined
}

export interface WantedNumbers {
  /** Patterns for `like`; any may match. */
  readonly patterns: readonly string[]
  /** Numbers of contacts whose names match. */
  readonly named: readonly string[]
  /** All matching numbers that the user has called; undefined if there are too many to list. */
  readonly called: readonly string[] | undefined
}

/** Above this, numbers are matched while walking the calls, where matches are then frequent. */
const maxNumbers = 200

export async function readWanted(db: Db, userId: string, filter: CallFilterQuery): Promise<WantedCalls> {
  const { from, to, who, outcome } = filter
  return {
    userId,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    outcomes: outcome === undefined ? undefined : callGroups[outcome],
    numbers: who === undefined || who.trim() === '' ? undefined : await findNumbers(db, userId, who),
  }
}

async function findNumbers(db: Db, userId: string, who: string): Promise<WantedNumbers> {
  const patterns = patternsOf(who)
  const named = searchContacts(await listContacts(db, userId), who).map(contact => contact.phone_number)
  // Live calls are not in the sums yet.
  const rows = await db.query<{ to_number: string }>(
    `select distinct to_number from (
       select to_number from call_sum_by_number where user_id = $1
       union all select to_number from call where user_id = $1 and state <> 'ended') called
     where to_number like any ($2::text[]) or to_number = any ($3::text[]) limit $4`,
    [userId, patterns, named, maxNumbers + 1],
  )
  const called = rows.map(({ to_number }) => to_number)
  return { patterns, named, called: called.length > maxNumbers ? undefined : called }
}

/** Keeps only digits and a leading plus. Also matches without leading zeros, for numbers typed in national form. */
function patternsOf(who: string): string[] {
  if (/\p{L}/u.test(who)) return []
  const digits = keepDialable(who)
  if (!/\d/.test(digits)) return []
  const abroad = digits.replace(/^0+/, '')
  return [...new Set(abroad.length >= 3 ? [digits, abroad] : [digits])].map(part => `%${part}%`)
}

export function isMeant({ patterns, named }: WantedNumbers, number: string): boolean {
  return named.includes(number) || patterns.some(pattern => number.includes(pattern.slice(1, -1)))
}

export function createConditions() {
  const values: Parameter[] = []
  const put = (value: Parameter, type: string) => `$${values.push(value)}::${type}`
  return {
    values,
    put,
    placed: ({ from, to }: Pick<WantedCalls, 'from' | 'to'>) => [
      ...(from === undefined ? [] : [`placed_at >= ${put(from, 'timestamptz')}`]),
      ...(to === undefined ? [] : [`placed_at < ${put(to, 'timestamptz')}`]),
    ],
    outcomes: ({ outcomes }: WantedCalls) =>
      outcomes === undefined ? [] : [`outcome = any (${put(outcomes, 'text[]')})`],
    numbers: ({ numbers }: WantedCalls) => {
      if (numbers === undefined) return []
      if (numbers.called !== undefined) return [`to_number = any (${put(numbers.called, 'text[]')})`]
      const { patterns, named } = numbers
      return [
        `(to_number like any (${put(patterns, 'text[]')}) or to_number = any (${put(named, 'text[]')}))`,
      ]
    },
  }
}
