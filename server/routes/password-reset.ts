import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#lib/api/auth.ts'
import { failed, invalidField, tooManyRequests } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { deviceName } from '../identity/device-name.ts'
import type { Services } from '../services/context.ts'
import { checkResetLink, forgotPassword, resetPassword } from '../services/password-reset.ts'
import type { SignedIn } from '../services/sign-in.ts'
import { takeMail, takeMailFrom } from '../services/sign-in-limits.ts'

/** Requests a minute from one address. */
const attemptsPerMinute = 60

const linkExpired = 'This link was used already or is older than 30 minutes. Ask for a new one.'

/** True of any address: whether a mail went there, only its owner knows. */
export const askedAlready = 'A mail to this address was asked for a short while ago.'

/** Gives a browser its cookie, and the answer its token. */
export type SignInAnew = (
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  signedIn: SignedIn,
) => Promise<{ token: string }>

export function mountPasswordReset(mount: Mount, services: Services, signIn: SignInAnew): void {
  const limited = { perMinute: attemptsPerMinute }
  mount(
    contract.forgotPassword,
    async ({ body, http }) => {
      const waitMs = await takeMailFrom(services, http.request.ip)
      if (waitMs > 0) throw tooManyRequests(waitMs, 'Too many mails were asked for from here.')
      const accountWaitMs = await takeMail(services, 'reset', body.email)
      if (accountWaitMs > 0) throw tooManyRequests(accountWaitMs, askedAlready)
      await forgotPassword(services, body.email)
      return {}
    },
    limited,
  )
  mount(
    contract.checkResetLink,
    async ({ body }) => {
      const checked = await checkResetLink(services, body.token)
      if (!checked.ok) throw failed(contract.checkResetLink, checked.code, linkExpired)
      return checked.value
    },
    limited,
  )
  mount(
    contract.resetPassword,
    async ({ body, http }) => {
      const device = deviceName(http.request.headers['user-agent'])
      const reset = await resetPassword(services, body, device)
      if (reset.ok) return signIn(http, reset.value)
      if (reset.code === 'weak_password') throw invalidField('password', reset.message)
      throw failed(contract.resetPassword, reset.code, linkExpired)
    },
    limited,
  )
}
