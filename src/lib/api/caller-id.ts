import * as z from 'zod/mini'
import { callerIdShape } from '../numbers/caller-id.ts'
import { callerIdTexts } from '../numbers/caller-id-texts.ts'
import { endpoint } from './endpoint.ts'

export const verifiedCallerId = z.object({
  /** E.164 with the plus. */
  phone_number: z.string(),
})
export type VerifiedCallerId = z.output<typeof verifiedCallerId>

const phoneNumber = z.string().check(z.regex(callerIdShape, { error: () => callerIdTexts.invalid }))

/** This user's verified numbers (PD-24), oldest first. */
export const verifiedCallerIds = endpoint({
  method: 'GET',
  path: '/api/caller-id/verified',
  auth: 'bearer',
  status: 200,
  reply: z.array(verifiedCallerId),
  errors: {},
})

/** Rings a number and asks there for the returned code. Free; limited by rate, and per user, number and network. */
export const requestVerification = endpoint({
  method: 'POST',
  path: '/api/caller-id/request-verification',
  auth: 'bearer',
  body: z.object({ phoneNumber }),
  status: 200,
  reply: z.object({ code: z.string() }),
  errors: {
    invalid_number: 400,
    unsupported_destination: 400,
    emergency_number: 400,
    call_blocked: 403,
    email_unverified: 403,
    rate_limit: 403,
    already_verified: 409,
    not_verifiable: 409,
    destination_paused: 429,
    too_soon: 429,
    too_many_verifications: 429,
  },
})

export const removeCallerId = endpoint({
  method: 'DELETE',
  path: '/api/caller-id/verified',
  auth: 'bearer',
  body: z.object({ phoneNumber }),
  status: 204,
  reply: z.undefined(),
  errors: {},
})
