import type { FastifyReply, FastifyRequest } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { Services } from '../../context.ts'

/** Since the last sign-in on the device. */
const lifeSeconds = 180 * 24 * 3600
/** Max accounts per browser; the one that signed in longest ago is dropped. */
const maxAccounts = 5
const algorithm = 'HS256'
const audience = 'known-device'
const type = 'known-device+jwt'

const contents = z.object({ jti: z.uuid(), accounts: z.array(z.uuid()).check(z.maxLength(maxAccounts)) })

export interface KnownDevice {
  readonly id: string
  /** User ids, the latest first. */
  readonly accounts: readonly string[]
}

export interface KnownDeviceCookie {
  /** @returns undefined if the browser is unknown or the cookie is not ours */
  read(request: FastifyRequest): Promise<KnownDevice | undefined>
  remember(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>
}

/** Signed; keeps guesses elsewhere from locking the owner out (ADR-52). It grants no access. */
export function knownDeviceCookie({
  publicUrl,
  keys,
  clock,
  random,
}: Pick<Services, 'publicUrl' | 'keys' | 'clock' | 'random'>): KnownDeviceCookie {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Host-known-device' : 'known-device'
  const read = async (request: FastifyRequest): Promise<KnownDevice | undefined> => {
    const sealed = request.cookies[name]
    if (sealed === undefined) return undefined
    try {
      const { payload } = await jwtVerify(sealed, keys.knownDevice, {
        algorithms: [algorithm],
        audience,
        typ: type,
        currentDate: clock.now(),
        requiredClaims: ['exp'],
      })
      const { jti: id, accounts } = z.parse(contents, payload)
      return { id, accounts }
    } catch {
      return undefined
    }
  }
  return {
    read,
    remember: async (request, reply, userId) => {
      const known = await read(request)
      const others = known?.accounts.filter(account => account !== userId) ?? []
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      const sealed = await new SignJWT({ accounts: [userId, ...others].slice(0, maxAccounts) })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setAudience(audience)
        .setJti(known?.id ?? random.uuid())
        .setExpirationTime(issuedAt + lifeSeconds)
        .sign(keys.knownDevice)
      const options = { httpOnly: true, sameSite: 'strict', path: '/', secure, maxAge: lifeSeconds } as const
      reply.setCookie(name, sealed, options)
    },
  }
}
