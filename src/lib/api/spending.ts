import * as z from 'zod/mini'
import { leastCapUsd, mostCapUsd } from '../rules/spending.ts'
import { endpoint } from './endpoint.ts'

const isWholeCents = (usd: number) => Math.abs(usd * 100 - Math.round(usd * 100)) < 1e-6

/** USD in whole cents; null: no cap. */
const cap = z.nullable(
  z
    .number()
    .check(
      z.gte(leastCapUsd, 'A cap is at least $0.01. Leave it empty for none.'),
      z.lte(mostCapUsd, 'A cap is at most $10000. Leave it empty for none.'),
      z.refine(isWholeCents, 'Dollars and whole cents only.'),
    ),
)

/** What a user lets calls spend, and where to they may not go. Months are those of UTC. Money in USD. */
export const spending = z.object({
  perCall: cap,
  perMonth: cap,
  /** What this month's calls were charged so far, running ones included. */
  spentThisMonth: z.number(),
  /** What the cap leaves for one more call: less than it minus what was spent while a call may still cost. Null without one. */
  leftThisMonth: z.nullable(z.number()),
  /** When the month ends and the next one begins with nothing spent. ISO 8601. */
  monthEndsAt: z.string(),
  /** Countries that nobody may call from this account: ISO 3166-1 alpha-2, upper case, sorted. */
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

/** What is left out stays as it is. A cap that is raised lengthens calls that go on; one that is lowered counts from the next call. */
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

/** Countries in neither list stay as they are, those in both are unlocked; calls that go on are left alone. */
export const lockCountries = endpoint({
  method: 'POST',
  path: '/api/protected/spending/locked',
  auth: 'bearer',
  body: z.object({ lock: countries, unlock: countries }),
  status: 200,
  reply: spending,
  errors: {},
})
