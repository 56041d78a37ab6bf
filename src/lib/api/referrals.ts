import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * How far somebody is who came by a link. `joined`: signed up, or paid less than what counts. `paid`: the reward was
 * earned. `returned`: so much of that payment was refunded or is disputed that the reward was taken back. `own`: paid with
 * a card, or called from a device, that is the referrer's too, which earns nothing.
 */
export const referralState = z.enum(['joined', 'paid', 'returned', 'own'])
export type ReferralState = z.output<typeof referralState>

export const referralRecord = z.object({
  /** Masked, such as `a•••@g•••.com`. */
  email: z.string(),
  /** When they came, ISO 8601 in UTC. */
  joinedAt: z.string(),
  state: referralState,
  /** What it has brought, in USD. */
  earned: z.number(),
})

/** The user's own link, what it earns, and who came by it: the newest 100. Money in USD. The first request makes the link. */
export const referrals = endpoint({
  method: 'GET',
  path: '/api/referrals',
  auth: 'bearer',
  status: 200,
  reply: z.object({
    link: z.string(),
    /** Credits for the referrer, once for each person. */
    reward: z.number(),
    /** The least that their first payment that counts comes to. */
    leastPayment: z.number(),
    joined: z.number(),
    paid: z.number(),
    earned: z.number(),
    people: z.array(referralRecord),
  }),
  errors: {},
})
