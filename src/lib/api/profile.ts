import * as z from 'zod/mini'
import { emailAddress, password, personName } from '../account/account.ts'
import { endpoint } from './endpoint.ts'
import { unredeemedGift } from './gifts.ts'

const savedCard = z.object({ brand: z.nullable(z.string()), last4: z.nullable(z.string()) })

/** What `/profile` shows in addition to `me`. Times in ISO 8601, UTC. */
export const profile = z.object({
  name: z.nullable(z.string()),
  email: z.string(),
  emailVerified: z.boolean(),
  pendingEmail: z.nullable(z.string()),
  hasPassword: z.boolean(),
  google: z.nullable(z.string()),
  memberSince: z.string(),
  /** USD, exact to the micro-dollar. */
  credits: z.number(),
  /** USD held for review, bonus included, not on the balance yet. Deleting the account loses them like `credits`. */
  heldCredits: z.number(),
  /** Booklets that nobody has redeemed. They outlive the account. */
  booklets: z.array(unredeemedGift),
  savedCard: z.nullable(savedCard),
  autoTopUpEnabled: z.boolean(),
})
export type Profile = z.output<typeof profile>

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/protected/profile',
  auth: 'bearer',
  status: 200,
  reply: profile,
  errors: {},
})

/** An empty name removes it. */
export const changeName = endpoint({
  method: 'POST',
  path: '/api/protected/profile/name',
  auth: 'bearer',
  body: z.object({ name: personName }),
  status: 200,
  reply: profile,
  errors: {},
})

/**
 * The old address stays valid until the link is opened, and is notified then. Always 202, so that the reply reveals no
 * accounts. The password is needed only if the account has one.
 */
export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/protected/profile/email',
  auth: 'bearer',
  body: z.object({ email: emailAddress, password: z.string().check(z.maxLength(1000)) }),
  status: 202,
  reply: profile,
  errors: { wrong_password: 403 },
})

export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/protected/profile/email',
  auth: 'bearer',
  status: 200,
  reply: profile,
  errors: {},
})

/** Posted by the script of `/verify-email?change=<token>`. `email_taken`: registered by another account meanwhile. */
export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/api/auth/confirm-email-change',
  auth: 'none',
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
  status: 200,
  reply: z.object({ email: z.string() }),
  errors: { link_expired: 410, email_taken: 409 },
})

/** Signs out every other device. An account without a password sets its first one with an empty `current`. */
export const changePassword = endpoint({
  method: 'POST',
  path: '/api/protected/profile/password',
  auth: 'bearer',
  body: z.object({ current: z.string().check(z.maxLength(1000)), next: password }),
  status: 204,
  reply: z.undefined(),
  errors: { wrong_password: 403 },
})

const device = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['phone', 'tablet', 'computer', 'unknown']),
  signedInAt: z.string(),
  lastSeenAt: z.string(),
  current: z.boolean(),
})
export type Device = z.output<typeof device>

/** Signed-in devices: this one first, then by `lastSeenAt`. */
export const devices = endpoint({
  method: 'GET',
  path: '/api/protected/devices',
  auth: 'bearer',
  status: 200,
  reply: z.array(device),
  errors: {},
})

/** Password, or nothing if the session was signed in within the last 10 minutes, else `proof_needed`. */
export const ownerProof = z.object({ password: z.string().check(z.maxLength(1000)) })
export const proofErrors = { wrong_password: 403, proof_needed: 403 } as const

export const signOutDevice = endpoint({
  method: 'DELETE',
  path: '/api/protected/devices/:id',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  body: ownerProof,
  status: 204,
  reply: z.undefined(),
  errors: proofErrors,
})

export const signOutOthers = endpoint({
  method: 'DELETE',
  path: '/api/protected/devices',
  auth: 'bearer',
  body: ownerProof,
  status: 204,
  reply: z.undefined(),
  errors: proofErrors,
})

/** Removes the saved card, here and at the payment provider, and turns auto top-up off. No error without a card. */
export const removeSavedCard = endpoint({
  method: 'DELETE',
  path: '/api/protected/profile/saved-card',
  auth: 'bearer',
  status: 200,
  reply: profile,
  errors: {},
})

/** Permanent. `confirm` is the typed e-mail address. The `_in_progress` errors are temporary. */
export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/protected/delete-account',
  auth: 'bearer',
  body: z.object({
    confirm: z.string().check(z.maxLength(320)),
    /** Empty if the account has none. */
    password: z.string().check(z.maxLength(1000)),
  }),
  status: 204,
  reply: z.undefined(),
  errors: { wrong_password: 403, wrong_confirmation: 400, call_in_progress: 409, payment_in_progress: 409 },
})

/** `GET` with the bearer token: a zip of all data about the user, each table as JSON and CSV. */
export const exportPath = '/api/protected/export'

export const heardAboutSources = [
  'search',
  'friend',
  'social',
  'video',
  'article',
  'assistant',
  'other',
] as const

/** Where the user heard about us; `source` null skips the question. Only the first answer is stored. */
export const heardAbout = endpoint({
  method: 'POST',
  path: '/api/protected/heard-about',
  auth: 'bearer',
  body: z.object({
    source: z.nullable(z.enum(heardAboutSources)),
    detail: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  }),
  status: 204,
  reply: z.undefined(),
  errors: {},
})
