import * as z from 'zod/mini'
import { maxCapUsd, minCapUsd, tooLittleText, tooMuchText } from '../money/spending.ts'
import { capFaults } from '../money/spending-texts.ts'
import { endpoint } from './endpoint.ts'

const isWholeCents = (usd: number) => Math.abs(usd * 100 - Math.round(usd * 100)) < 1e-6

/** USD in whole cents; null: no cap. */
const cap = z.nullable(
  z
    .number()
    .check(
      z.gte(minCapUsd, { error: tooLittleText }),
      z.lte(maxCapUsd, { error: tooMuchText }),
      z.refine(isWholeCents, { error: () => capFaults.notWholeCents }),
    ),
)

/** Spending caps and locked countries of a user. Months are in UTC; money in USD. */
export const spending = z.object({
  perCall: cap,
  perMonth: cap,
  /** Charged for this month's calls so far, including calls in progress. */
  spentThisMonth: z.number(),
  /** The monthly cap minus what was spent and what running calls may still cost. Null without a cap. */
  leftThisMonth: z.nullable(z.number()),
  /** Start of the next month, with nothing spent. ISO 8601. */
  monthEndsAt: z.string(),
  /** How long a call of a new account may last at most, in minutes. Null: the account is no longer new. */
  newAccount: z.nullable(
    z.object({
      maxCallMinutes: z.number(),
      /** When that ends with the payments so far, ISO 8601; null: more must be paid. */
      endsAt: z.nullable(z.string()),
      /** USD still to be paid before it ends. */
      payUsd: z.number(),
      /** It also lasts this long after the first payment. */
      days: z.number(),
    }),
  ),
  /** Countries that this account may not call: ISO 3166-1 alpha-2, upper case, sorted. */
  locked: z.array(z.string()),
})
export type Spending = z.output<typeof spending>

export const getSpending = endpoint({
  method: 'GET',
  path: '/api/protected/spending',
  auth: 'bearer',
  status: 200,
  reply: spending,
  errors: {},
})

/** Omitted fields stay unchanged. A raised cap extends calls in progress; a lowered one applies from the next call. */
export const changeCaps = endpoint({
  method: 'POST',
  path: '/api/protected/spending/caps',
  auth: 'bearer',
  body: z.object({ perCall: z.optional(cap), perMonth: z.optional(cap) }),
  status: 200,
  reply: spending,
  errors: {},
})

const countries = z.array(z.string().check(z.regex(/^[A-Z]{2}$/))).check(z.maxLength(300))

/** Countries in neither list stay unchanged; those in both are unlocked. Calls in progress are not affected. */
export const lockCountries = endpoint({
  method: 'POST',
  path: '/api/protected/spending/locked',
  auth: 'bearer',
  body: z.object({ lock: countries, unlock: countries }),
  status: 200,
  reply: spending,
  errors: {},
})
