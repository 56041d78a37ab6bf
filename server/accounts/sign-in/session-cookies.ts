import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionHintName } from '#lib/account/session-hint.ts'
import type { IssuedRefreshToken } from '../../identity/refresh-token.ts'

export interface SessionCookies {
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, issued: Pick<IssuedRefreshToken, 'token' | 'expiresAt'>): void
  /** Clears only the cookies that the request sent: a late response must not remove those of a newer sign-in. */
  clearSent(request: FastifyRequest, reply: FastifyReply): void
}

/** The refresh token, unreadable for scripts, and a hint for pages that it exists (ADR-46). */
export function sessionCookies(publicUrl: string): SessionCookies {
  const secure = publicUrl.startsWith('https:')
  const prefix = secure ? '__Host-' : ''
  const shared = { sameSite: 'strict', path: '/', secure } as const
  const refresh = { name: `${prefix}refresh`, options: { ...shared, httpOnly: true } }
  const hint = { name: `${prefix}${sessionHintName}`, options: shared }
  return {
    read: request => request.cookies[refresh.name],
    set: (reply, { token, expiresAt }) => {
      reply.setCookie(refresh.name, token, { ...refresh.options, expires: expiresAt })
      reply.setCookie(hint.name, 'yes', { ...hint.options, expires: expiresAt })
    },
    clearSent: (request, reply) => {
      for (const { name, options } of [refresh, hint]) {
        if (request.cookies[name] !== undefined) reply.clearCookie(name, options)
      }
    },
  }
}
