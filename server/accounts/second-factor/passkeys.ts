import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { company } from '#lib/company.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'

/** How long the browser lets a user look for their key. */
const timeoutMs = 5 * minuteMs

interface StoredPasskey {
  readonly id: string
  readonly user_id: string
  readonly credential_id: string
  readonly public_key: Uint8Array
  readonly sign_count: number
  readonly transports: readonly string[]
}

type Tools = Pick<Services, 'publicUrl' | 'random'>

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812). The library's default adds one that is experimental in Node. */
const algorithms = [-8, -7, -257]

/** Loaded on first use, so the server starts without it. */
const library = () => import('@simplewebauthn/server')

/** Passkeys belong to the site's host, without a port. */
function relyingParty({ publicUrl }: Pick<Services, 'publicUrl'>) {
  const { hostname, origin } = new URL(publicUrl)
  return { rpID: hostname, origin }
}

/** Our own random bytes; the library would read a string as UTF-8. */
function newChallenge({ random }: Tools) {
  return new Uint8Array(random.bytes(32))
}

/** Options to create a passkey. Discoverable and with user verification, so that a passkey alone can sign in. */
export async function creationOptions(db: Db, tools: Tools, user: { id: string; email: string }) {
  const { generateRegistrationOptions } = await library()
  const own = await passkeysOf(db, user.id)
  return generateRegistrationOptions({
    rpName: company.name,
    rpID: relyingParty(tools).rpID,
    userName: user.email,
    userDisplayName: user.email,
    userID: new Uint8Array(Buffer.from(user.id)),
    challenge: newChallenge(tools),
    timeout: timeoutMs,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: own.map(descriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Options to sign in with a passkey. @param userId undefined: any passkey of this site */
export async function requestOptions(db: Db, tools: Tools, userId?: string) {
  const { generateAuthenticationOptions } = await library()
  const own = userId === undefined ? [] : await passkeysOf(db, userId)
  return generateAuthenticationOptions({
    rpID: relyingParty(tools).rpID,
    challenge: newChallenge(tools),
    timeout: timeoutMs,
    userVerification: 'required',
    allowCredentials: own.map(descriptor),
  })
}

export interface NewPasskey {
  readonly credentialId: string
  readonly publicKey: Uint8Array
  readonly signCount: number
  readonly transports: readonly string[]
}

/** @returns undefined if the response is not a valid passkey for the challenge */
export async function verifyCreation(
  tools: Tools,
  response: unknown,
  challenge: string,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await library()
  const { rpID, origin } = relyingParty(tools)
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return undefined
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return { credentialId: id, publicKey, signCount: counter, transports: transports.slice(0, 8).map(String) }
  } catch {
    // The library throws on any invalid input.
    return undefined
  }
}

export interface ShownPasskey {
  readonly id: string
  readonly userId: string
  readonly signCount: number
}

/**
 * Requires user verification and a growing counter: else the passkey was copied.
 * @returns `unknown` for a passkey that is nobody's, as one that was removed; `invalid` for any other
 */
export async function verifyAssertion(
  db: Db,
  tools: Tools,
  response: unknown,
  challenge: string,
): Promise<ShownPasskey | 'unknown' | 'invalid'> {
  const id = (response as { id?: unknown } | null | undefined)?.id
  if (typeof id !== 'string') return 'invalid'
  const [stored] = await db.query<StoredPasskey>(
    `select id, user_id, credential_id, public_key, sign_count, transports from passkey where credential_id = $1`,
    [id],
  )
  if (stored === undefined) return 'unknown'
  const { verifyAuthenticationResponse } = await library()
  const { rpID, origin } = relyingParty(tools)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: stored.credential_id,
        publicKey: new Uint8Array(stored.public_key),
        counter: stored.sign_count,
        transports: [...stored.transports],
      },
    })
    return verified
      ? { id: stored.id, userId: stored.user_id, signCount: authenticationInfo.newCounter }
      : 'invalid'
  } catch {
    return 'invalid'
  }
}

/** @returns false if the passkey was removed meanwhile */
export async function notePasskeyUse(tx: Db, { id, signCount }: ShownPasskey, at: Date): Promise<boolean> {
  const noted = await tx.query(
    'update passkey set sign_count = greatest(sign_count, $2), last_used_at = $3 where id = $1 returning id',
    [id, signCount, at],
  )
  return noted.length === 1
}

async function passkeysOf(db: Db, userId: string) {
  return db.query<Pick<StoredPasskey, 'credential_id' | 'transports'>>(
    'select credential_id, transports from passkey where user_id = $1 order by created_at, id',
    [userId],
  )
}

function descriptor({ credential_id: id, transports }: Pick<StoredPasskey, 'credential_id' | 'transports'>) {
  return { id, transports: [...transports] }
}
