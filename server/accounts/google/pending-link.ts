import type { FastifyReply, FastifyRequest } from 'fastify'
import { EncryptJWT, jwtDecrypt } from 'jose'
import * as z from 'zod/mini'
import type { Services } from '../../context.ts'
import type { GoogleIdentity } from '../../identity/google/port.ts'
import { queueEmail } from '../../mail/queue-email.ts'
import { googleLinkedEmail } from './google-emails.ts'

/** As long as a link to choose a password works, since that is the other way to prove it. */
const pendingSeconds = 30 * 60
const audience = 'connect google'

const contents = z.object({ issuer: z.string(), subject: z.string(), email: z.string() })
type Pending = z.output<typeof contents>

export interface PendingGoogleLink {
  /** Keeps an identity in its browser until somebody proves there that the account of its address is theirs. */
  keep(reply: FastifyReply, identity: GoogleIdentity & { readonly email: string }): Promise<void>
  /** Call when this user has logged in otherwise: links what the browser keeps, if the address is theirs. Once. */
  connect(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>
}

/** A Google account whose address Google does not vouch for, on its way to an existing account (ADR-78). */
export function pendingGoogleLink(services: Services): PendingGoogleLink {
  const { publicUrl, keys, clock } = services
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Host-connect-google' : 'connect-google'
  const options = { httpOnly: true, sameSite: 'strict', path: '/', secure } as const

  async function open(sealed: string): Promise<Pending | undefined> {
    try {
      const { payload } = await jwtDecrypt(sealed, keys.google, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        currentDate: clock.now(),
        requiredClaims: ['exp'],
        audience,
      })
      return z.parse(contents, payload['identity'])
    } catch {
      return undefined
    }
  }

  return {
    keep: async (reply, { issuer, subject, email }) => {
      const sealed = await new EncryptJWT({ identity: { issuer, subject, email } satisfies Pending })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(Math.floor(clock.now().getTime() / 1000) + pendingSeconds)
        .encrypt(keys.google)
      reply.setCookie(name, sealed, { ...options, maxAge: pendingSeconds })
    },
    connect: async (request, reply, userId) => {
      const sealed = request.cookies[name]
      if (sealed === undefined) return
      reply.clearCookie(name, options)
      const pending = await open(sealed)
      if (pending !== undefined) await linkTo(services, userId, pending)
    },
  }
}

async function linkTo(
  services: Services,
  userId: string,
  { issuer, subject, email }: Pending,
): Promise<void> {
  await services.db.transaction(async tx => {
    const at = services.clock.now()
    const [user] = await tx.query<{ email: string; email_verified_at: Date | null }>(
      'select email, email_verified_at from app_user where id = $1 for update',
      [userId],
    )
    // Whoever chose the password of an unconfirmed account has proved nothing.
    if (user?.email !== email || user.email_verified_at === null) return
    const [linked] = await tx.query(
      `insert into google_identity (issuer, subject, user_id, email, created_at) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning user_id`,
      [issuer, subject, userId, email, at],
    )
    if (linked === undefined) return
    const template = googleLinkedEmail(services.publicUrl)
    await queueEmail(tx, `google:${services.random.uuid()}`, email, template, at)
  })
}
