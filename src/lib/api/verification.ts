import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const verificationOutcomes = [
  'verified',
  'wrong_code',
  'no_code',
  'hung_up',
  'declined',
  'busy',
  'no_answer',
  'failed',
] as const
/** `wrong_code`: all tries used; `no_code`: answered, but no complete code was keyed in. */
export type VerificationOutcome = (typeof verificationOutcomes)[number]

/** How the user's newest verification call went, and how many more they may ask for. */
export const verificationStatus = endpoint({
  method: 'GET',
  path: '/api/caller-id/verification',
  auth: 'bearer',
  status: 200,
  reply: z.object({
    attemptsPerDay: z.number(),
    attemptsLeft: z.number(),
    /** Milliseconds until the next call is possible; 0: now. Not a time, since browsers' clocks are wrong. */
    waitMs: z.number(),
    /** Null: none in the last day. */
    lastCall: z.nullable(
      z.object({
        /** E.164 with the plus. */
        phone_number: z.string(),
        /** Null: not known yet. */
        outcome: z.nullable(z.enum(verificationOutcomes)),
      }),
    ),
  }),
  errors: {},
})
export type VerificationStatus = z.output<typeof verificationStatus.reply>

/** Progress of a verification call. `ended`: its outcome can be asked for (`verificationStatus`). */
export const verificationEvent = z.object({
  /** E.164. */
  phoneNumber: z.string(),
  state: z.enum(['answered', 'wrong_code', 'ended']),
})

export type VerificationEvent = z.output<typeof verificationEvent>
