import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#lib/api/auth.ts'
import { failed } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import type { Services } from '../services/context.ts'
import { register, resendVerification, verifyEmail } from '../services/register.ts'
import { login, logout, refresh, type SignedIn } from '../services/sign-in.ts'

/** Attempts a minute from one address on what guesses passwords or sends mails. */
const attemptsPerMinute = 60

export function mountAuth(mount: Mount, services: Services): void {
  const cookie = refreshCookie(services.publicUrl)
  const limited = { perMinute: attemptsPerMinute }

  const signIn = (reply: FastifyReply, { accessToken, refresh: issued }: SignedIn) => {
    reply.setCookie(cookie.name, issued.token, { ...cookie.options, expires: issued.expiresAt })
    return { token: accessToken }
  }

  mount(
    contract.register,
    async ({ body }) => {
      await register(services, body)
      return {}
    },
    limited,
  )
  mount(
    contract.resendVerification,
    async ({ body }) => {
      await resendVerification(services, body.email)
      return {}
    },
    limited,
  )
  mount(
    contract.verifyEmail,
    async ({ body }) => {
      const verified = await verifyEmail(services, body.token)
      if (verified.ok) return {}
      throw failed(
        contract.verifyEmail,
        verified.code,
        'This link was used already or is older than 24 hours. Ask for a new one.',
      )
    },
    limited,
  )
  mount(
    contract.login,
    async ({ body, http }) => {
      const signedIn = await login(services, body)
      if (signedIn.ok) return signIn(http.reply, signedIn.value)
      throw failed(
        contract.login,
        signedIn.code,
        'That e-mail and password do not match. Check both and try again.',
      )
    },
    limited,
  )
  mount(contract.refreshToken, async ({ http }) => {
    const refreshed = await refresh(services, readCookie(http.request, cookie.name))
    if (refreshed.ok) return signIn(http.reply, refreshed.value)
    http.reply.clearCookie(cookie.name, cookie.options)
    throw failed(contract.refreshToken, refreshed.code, 'Please log in again.')
  })
  mount(contract.logout, async ({ http }) => {
    await logout(services, readCookie(http.request, cookie.name))
    http.reply.clearCookie(cookie.name, cookie.options)
    return undefined
  })
}

function readCookie(request: FastifyRequest, name: string): string | undefined {
  return request.cookies[name]
}

/** reliability.md 'Sign-in': HttpOnly, SameSite, `__Host-` and Secure behind TLS. */
function refreshCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  return {
    name: secure ? '__Host-refresh' : 'refresh',
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure },
  } as const
}
