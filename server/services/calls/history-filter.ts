import type { callTotals } from '#lib/api/calls.ts'
import type { RequestOutput } from '#lib/api/endpoint.ts'
import { callGroups } from '#lib/rules/call-filter.ts'
import { searchContacts } from '#lib/rules/contacts.ts'
import { keepDialable } from '#lib/rules/dialable.ts'
import type { Db, Parameter } from '../../db/port.ts'
import { listContacts } from '../contacts.ts'

export type CallFilterQuery = RequestOutput<typeof callTotals>['query']

/** Which of a user's calls are wanted, in the database's terms. */
export interface WantedCalls {
  readonly userId: string
  readonly from: Date | undefined
  /** Not included. */
  readonly to: Date | undefined
  readonly outcomes: readonly string[] | undefined
  readonly numbers: WantedNumbers | undefined
}

export interface WantedNumbers {
  /** For `like`, any of them. */
  readonly patterns: readonly string[]
  /** Contacts' numbers by their names. */
  readonly named: readonly string[]
  /** All numbers that this user has called and that are meant; undefined where there are too many to name. */
  readonly called: readonly string[] | undefined
}

/** More than this are looked for among the calls, newest first, and soon found there. */
const mostNumbers = 200

/** Reads a filter: whose number is meant, and which outcomes a group has. */
export async function readWanted(db: Db, userId: string, filter: CallFilterQuery): Promise<WantedCalls> {
  const { from, to, who, outcome } = filter
  return {
    userId,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    outcomes: outcome === undefined ? undefined : callGroups[outcome].outcomes,
    numbers: who === undefined || who.trim() === '' ? undefined : await findNumbers(db, userId, who),
  }
}

async function findNumbers(db: Db, userId: string, who: string): Promise<WantedNumbers> {
  const patterns = patternsOf(who)
  const named = searchContacts(await listContacts(db, userId), who).map(contact => contact.phone_number)
  // Calls that go on are in no sum yet.
  const rows = await db.query<{ to_number: string }>(
    `select distinct to_number from (
       select to_number from call_sum_by_number where user_id = $1
       union all select to_number from call where user_id = $1 and state <> 'ended') called
     where to_number like any ($2::text[]) or to_number = any ($3::text[]) limit $4`,
    [userId, patterns, named, mostNumbers + 1],
  )
  const called = rows.map(({ to_number }) => to_number)
  return { patterns, named, called: called.length > mostNumbers ? undefined : called }
}

/**
 * Only digits count, and a plus before them. Somebody who types a number as it is dialled at home means the one without
 * the zeros in front.
 */
function patternsOf(who: string): string[] {
  if (/\p{L}/u.test(who)) return []
  const digits = keepDialable(who)
  if (!/\d/.test(digits)) return []
  const abroad = digits.replace(/^0+/, '')
  return [...new Set(abroad.length >= 3 ? [digits, abroad] : [digits])].map(part => `%${part}%`)
}

/** Whether a number is one of those that are meant, as `like` would tell it. */
export function isMeant({ patterns, named }: WantedNumbers, number: string): boolean {
  return named.includes(number) || patterns.some(pattern => number.includes(pattern.slice(1, -1)))
}

/** Collects the values of a statement while its conditions are written. */
export function createConditions() {
  const values: Parameter[] = []
  const put = (value: Parameter, type: string) => `$${values.push(value)}::${type}`
  return {
    values,
    put,
    /** Placed within the wanted time. */
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
