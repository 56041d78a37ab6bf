import * as z from 'zod/mini'
import { emailAddress, password, personName } from '../rules/account.ts'
import { endpoint } from './endpoint.ts'

/** The kept card as its owner may see it. */
const savedCard = z.object({
  brand: z.nullable(z.string()),
  last4: z.nullable(z.string()),
})

/** What `/profile` shows beside `me`. Times in ISO 8601, UTC. */
export const profile = z.object({
  name: z.nullable(z.string()),
  email: z.string(),
  emailVerified: z.boolean(),
  /** A new address that waits for its confirmation. */
  pendingEmail: z.nullable(z.string()),
  hasPassword: z.boolean(),
  /** The address of the Google account that signs in to this one. */
  google: z.nullable(z.string()),
  memberSince: z.string(),
  /** USD, exact to the micro-dollar. */
  credits: z.number(),
  /** USD that wait for a review, on no balance yet, with the bonus that comes with them: lost like `credits` by a deletion. */
  heldCredits: z.number(),
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

/** An empty name takes it away. */
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
 * Sends a link to the new address; the old one stays until it is opened, and is told then. Always 202, whether or not the
 * new address has an account. An account without a password needs none.
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

/** Gives up a change of address that waits for its confirmation. */
export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/protected/profile/email',
  auth: 'bearer',
  status: 200,
  reply: profile,
  errors: {},
})

/** Posted by the script of `/verify-email?change=<token>`. `email_taken`: somebody has registered it meanwhile. */
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
  /** In words, such as `Chrome on macOS`. */
  name: z.string(),
  kind: z.enum(['phone', 'tablet', 'computer', 'unknown']),
  signedInAt: z.string(),
  lastSeenAt: z.string(),
  /** The one that asks. */
  current: z.boolean(),
})
export type Device = z.output<typeof device>

/** The devices that are signed in, this one first, then by when they were last seen. */
export const devices = endpoint({
  method: 'GET',
  path: '/api/protected/devices',
  auth: 'bearer',
  status: 200,
  reply: z.array(device),
  errors: {},
})

export const signOutDevice = endpoint({
  method: 'DELETE',
  path: '/api/protected/devices/:id',
  auth: 'bearer',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  status: 204,
  reply: z.undefined(),
  errors: {},
})

/** Signs out every device but this one. */
export const signOutOthers = endpoint({
  method: 'DELETE',
  path: '/api/protected/devices',
  auth: 'bearer',
  status: 204,
  reply: z.undefined(),
  errors: {},
})

/** Takes the kept card away, here and at the payment provider, and turns auto top-up off. Without one there is nothing to do. */
export const removeSavedCard = endpoint({
  method: 'DELETE',
  path: '/api/protected/profile/saved-card',
  auth: 'bearer',
  status: 200,
  reply: profile,
  errors: {},
})

/**
 * Deletes the account at once and for good. `confirm` is the account's own e-mail address, as its owner types it.
 * `call_in_progress` and `payment_in_progress` pass by themselves.
 */
export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/protected/delete-account',
  auth: 'bearer',
  body: z.object({
    confirm: z.string().check(z.maxLength(320)),
    /** Empty where the account has none. */
    password: z.string().check(z.maxLength(1000)),
  }),
  status: 204,
  reply: z.undefined(),
  errors: {
    wrong_password: 403,
    wrong_confirmation: 400,
    call_in_progress: 409,
    payment_in_progress: 409,
  },
})

/** `GET` with the bearer token: a zip of everything that is kept about the user, each table as JSON and as CSV. */
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

/** Where the user heard about us; `source` null is a skip. The first answer stays. */
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
