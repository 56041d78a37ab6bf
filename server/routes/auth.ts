import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#lib/api/auth.ts'
import * as signInContract from '#lib/api/sign-in.ts'
import { failed, invalidField, tooManyRequests } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { weakPasswordWords } from '../identity/common-passwords.ts'
import { type DeviceName, deviceName } from '../identity/device-name.ts'
import type { Services } from '../services/context.ts'
import { register, resendVerification, verifyEmail } from '../services/register.ts'
import { login, logout, refresh, type SignedIn } from '../services/sign-in.ts'
import { takeMail, takeMailFrom, takeRegistration } from '../services/sign-in-limits.ts'
import { askedAlready, mountPasswordReset, type SignInAnew } from './password-reset.ts'

/** Attempts a minute from one address on what guesses passwords or sends mails. */
const attemptsPerMinute = 60

export function mountAuth(mount: Mount, services: Services): void {
  const cookie = refreshCookie(services.publicUrl)
  const limited = { perMinute: attemptsPerMinute }

  const signIn = (reply: FastifyReply, { accessToken, refresh: issued }: SignedIn) => {
    reply.setCookie(cookie.name, issued.token, { ...cookie.options, expires: issued.expiresAt })
    return { token: accessToken }
  }

  /** Only one that was sent: an answer that is overtaken by a sign-in's would take away that one's. */
  const dropCookie = ({ request, reply }: Parameters<SignInAnew>[0]) => {
    if (readCookie(request, cookie.name) !== undefined) reply.clearCookie(cookie.name, cookie.options)
  }

  const signInAnew: SignInAnew = async ({ request, reply }, signedIn) => {
    // What this browser was signed in with before has no cookie any more.
    await logout(services, readCookie(request, cookie.name))
    return signIn(reply, signedIn)
  }

  /** @throws RequestFailure 429 where too many mails were asked for from one place */
  const limitMails = async (request: FastifyRequest) => {
    const waitMs = await takeMailFrom(services, request.ip)
    if (waitMs > 0) throw tooManyRequests(waitMs, 'Too many mails were asked for from here.')
  }

  mount(
    contract.register,
    async ({ body, http }) => {
      await limitMails(http.request)
      const weak = weakPasswordWords(body.password, body.email)
      if (weak !== undefined) throw invalidField('password', weak)
      const waitMs = await takeRegistration(services, body.email)
      if (waitMs > 0) throw tooManyRequests(waitMs, 'We have sent several mails to this address.')
      await register(services, body)
      return {}
    },
    limited,
  )
  mount(
    contract.resendVerification,
    async ({ body, http }) => {
      await limitMails(http.request)
      const waitMs = await takeMail(services, 'confirmation', body.email)
      if (waitMs > 0) throw tooManyRequests(waitMs, askedAlready)
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
    signInContract.login,
    async ({ body, http }) => {
      const { request } = http
      const signedIn = await login(services, body, { device: deviceOf(request), address: request.ip })
      if (signedIn.ok) return signInAnew(http, signedIn.value)
      if (signedIn.code === 'too_many_logins') {
        throw tooManyRequests(signedIn.waitMs, 'Too many attempts to log in failed.')
      }
      throw failed(
        signInContract.login,
        signedIn.code,
        'That e-mail and password do not match. Check both and try again.',
      )
    },
    limited,
  )
  mount(signInContract.refreshToken, async ({ http }) => {
    const token = readCookie(http.request, cookie.name)
    const refreshed = await refresh(services, token, deviceOf(http.request))
    if (refreshed.ok) return signIn(http.reply, refreshed.value)
    dropCookie(http)
    throw failed(signInContract.refreshToken, refreshed.code, 'Please log in again.')
  })
  mount(signInContract.logout, async ({ http }) => {
    await logout(services, readCookie(http.request, cookie.name))
    dropCookie(http)
    return undefined
  })
  mountPasswordReset(mount, services, signInAnew)
}

function deviceOf(request: FastifyRequest): DeviceName {
  return deviceName(request.headers['user-agent'])
}

function readCookie(request: FastifyRequest, name: string): string | undefined {
  return request.cookies[name]
}

/** reliability.md 'Sign-in': HttpOnly, SameSite, `__Host-` and Secure behind TLS. */
export function refreshCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  return {
    name: secure ? '__Host-refresh' : 'refresh',
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure },
  } as const
}
