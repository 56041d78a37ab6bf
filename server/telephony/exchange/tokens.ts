import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import { failure, type Result, success } from '#lib/result.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'

const algorithm = 'HS256'

/** Both are checked, so that no other token of ours opens the exchange, and these open nothing else. */
const kinds = {
  caller: { type: 'voice+jwt', audience: 'voice' },
  handset: { type: 'handset+jwt', audience: 'handset' },
} as const

export interface HandsetClaim {
  readonly handsetId: string
  readonly number: string
  /** `busy`: callers hear the busy signal and nothing rings. */
  readonly whenCalled: 'ring' | 'busy'
}

export type VoiceParty =
  | { readonly kind: 'caller'; readonly userId: string; readonly sessionId?: string | undefined }
  | ({ readonly kind: 'handset' } & HandsetClaim)

export interface VoiceIdentity {
  readonly party: VoiceParty
  readonly expiresAt: Date
}

export interface VoiceTokens {
  issue(party: VoiceParty): Promise<string>
  verify(token: string): Promise<Result<VoiceIdentity, 'expired' | 'invalid'>>
  /** The handset of a token, even an expired one; undefined for any other token. */
  handsetOf(token: string): Promise<string | undefined>
}

export interface VoiceTokenOptions {
  /** At least 32 octets (RFC 7518, 3.2). */
  readonly secret: Uint8Array
  readonly ttlSeconds: number
  readonly clock: Clock
  readonly random: Random
}

const handsetClaims = z.object({ number: z.string(), whenCalled: z.enum(['ring', 'busy']) })

/** Voice tokens: short-lived JWTs that hold only the user and session, or the handset and its claim. */
export function createVoiceTokens({ secret, ttlSeconds, clock, random }: VoiceTokenOptions): VoiceTokens {
  async function read(token: string): Promise<{ party: VoiceParty; expiresAt: Date; expired: boolean }> {
    const kind = decodeProtectedHeader(token).typ === kinds.handset.type ? 'handset' : 'caller'
    const { audience, type } = kinds[kind]
    const options = { algorithms: [algorithm], audience, typ: type, currentDate: clock.now() }
    const { payload, expired } = await jwtVerify(token, secret, options).then(
      verified => ({ payload: verified.payload, expired: false }),
      error => {
        // The time is checked last: signature and claims are valid.
        if (error instanceof errors.JWTExpired) return { payload: error.payload, expired: true }
        throw error
      },
    )
    if (payload.exp === undefined) throw new errors.JWTInvalid('a voice token has an end')
    return { party: partyOf(kind, payload), expiresAt: new Date(payload.exp * 1000), expired }
  }

  return {
    issue(party) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      const { type, audience } = kinds[party.kind]
      const claims =
        party.kind === 'handset'
          ? { number: party.number, whenCalled: party.whenCalled }
          : { ...(party.sessionId !== undefined && { sid: party.sessionId }) }
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setAudience(audience)
        .setSubject(party.kind === 'handset' ? party.handsetId : party.userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ttlSeconds)
        .setJti(random.uuid())
        .sign(secret)
    },

    async verify(token) {
      try {
        const { party, expiresAt, expired } = await read(token)
        return expired ? failure('expired') : success({ party, expiresAt })
      } catch (error) {
        if (isUnusable(error)) return failure('invalid')
        throw error
      }
    },

    async handsetOf(token) {
      try {
        const { party } = await read(token)
        return party.kind === 'handset' ? party.handsetId : undefined
      } catch (error) {
        if (isUnusable(error)) return undefined
        throw error
      }
    },
  }
}

/** Unique among the parties of its kind. */
export function partyId(party: VoiceParty): string {
  return party.kind === 'handset' ? party.handsetId : party.userId
}

/** @throws JWTInvalid */
function partyOf(kind: VoiceParty['kind'], payload: JWTPayload): VoiceParty {
  const { sub } = payload
  if (sub === undefined) throw new errors.JWTInvalid('a voice token names somebody')
  if (kind === 'caller') {
    const { sid } = payload
    return { kind, userId: sub, sessionId: typeof sid === 'string' ? sid : undefined }
  }
  const claims = z.safeParse(handsetClaims, payload)
  if (!claims.success) throw new errors.JWTInvalid('the token of a handset names its number')
  return { kind, handsetId: sub, ...claims.data }
}

function isUnusable(error: unknown): boolean {
  return error instanceof errors.JOSEError || error instanceof TypeError
}
