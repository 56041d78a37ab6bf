import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * State of a referred user. `joined`: signed up, or paid too little to count. `pending`: paid; the reward follows when
 * the payment's refund window closes (`dueAt`). `in_review`: the payment is held for review. `paid`: the reward was
 * given. The rest earn nothing. `returned`: payment refunded, disputed or reported as fraud. `own`: shares a card,
 * device or mailbox with the referrer. `repeated`: card or mailbox has already earned a reward. `over_cap`: the
 * referrer had reached the month's cap. `gone`: the account was deleted first.
 */
export const referralState = z.enum([
  'joined',
  'pending',
  'in_review',
  'paid',
  'returned',
  'own',
  'repeated',
  'over_cap',
  'gone',
])
export type ReferralState = z.output<typeof referralState>

export const referralRecord = z.object({
  email: z.string(),
  /** ISO 8601, UTC. */
  joinedAt: z.string(),
  state: referralState,
  /** When a pending reward is due, ISO 8601, UTC; null in other states. */
  dueAt: z.nullable(z.string()),
  earned: z.number(),
})

/** The user's link, the terms, and the newest 100 referred users. Money in USD. The first request creates the link. */
export const referrals = endpoint({
  method: 'GET',
  path: '/api/referrals',
  auth: 'bearer',
  status: 200,
  reply: z.object({
    link: z.string(),
    reward: z.number(),
    leastPayment: z.number(),
    /** Max total of rewards in a calendar month (UTC). */
    monthlyMost: z.number(),
    joined: z.number(),
    paid: z.number(),
    earned: z.number(),
    people: z.array(referralRecord),
  }),
  errors: {},
})
