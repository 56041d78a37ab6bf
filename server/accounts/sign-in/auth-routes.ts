import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#lib/api/auth.ts'
import * as signInContract from '#lib/api/sign-in.ts'
import type { Services } from '../../context.ts'
import { failed, invalidField, tooManyRequests } from '../../http/failure.ts'
import { type Mount, pageRequests } from '../../http/mount.ts'
import { type DeviceName, deviceName } from '../../identity/device-name.ts'
import { weakPasswordMessage } from '../../identity/weak-password.ts'
import { answers } from '../account-texts.ts'
import { pendingGoogleLink } from '../google/pending-link.ts'
import { mountPasswordReset } from '../password/password-reset-routes.ts'
import { limitMails } from '../registration/mail-budget.ts'
import { register, resendVerification, verifyEmail } from '../registration/register.ts'
import { mountSecondFactors } from '../second-factor/second-factor-routes.ts'
import { secondFactor } from '../second-factor/second-factor-texts.ts'
import { mountSecondStep } from '../second-factor/second-step-routes.ts'
import { knownDeviceCookie } from './known-device-cookie.ts'
import type { SignedIn } from './open-session.ts'
import { sessionCookies } from './session-cookies.ts'
import { login, logout, refresh } from './sign-in.ts'
import type { SignInAnew } from './sign-in-anew.ts'
import { stepCookie } from './step-cookie.ts'

/** Per minute and address, for requests that guess passwords or send e-mails. */
const attemptsPerMinute = 60

export function mountAuth(mount: Mount, services: Services): void {
  const cookies = sessionCookies(services.publicUrl)
  const knownDevices = knownDeviceCookie(services)
  const steps = stepCookie(services.publicUrl)
  const pendingLink = pendingGoogleLink(services)
  const limited = { perMinute: attemptsPerMinute }

  const signIn = (reply: FastifyReply, { accessToken, refresh: issued }: SignedIn) => {
    cookies.set(reply, issued)
    return { token: accessToken }
  }

  const signInAnew: SignInAnew = async ({ request, reply }, signedIn) => {
    // Ends this browser's previous session, whose cookie is being replaced.
    await logout(services, cookies.read(request))
    const answer = signIn(reply, signedIn)
    await knownDevices.remember(request, reply, signedIn.refresh.userId)
    steps.clear(request, reply)
    await pendingLink.connect(request, reply, signedIn.refresh.userId)
    return answer
  }

  mount(
    contract.register,
    async ({ body, http }) => {
      const weak = weakPasswordMessage(body.password, body.email)
      if (weak !== undefined) throw invalidField('password', weak)
      await limitMails(services, { kind: 'registration', email: body.email, address: http.request.ip })
      await register(services, body)
      return {}
    },
    limited,
  )
  mount(
    contract.resendVerification,
    async ({ body, http }) => {
      await limitMails(services, { kind: 'confirmation', email: body.email, address: http.request.ip })
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
      throw failed(contract.verifyEmail, verified.code, answers.verifyLinkExpired)
    },
    limited,
  )
  mount(
    signInContract.login,
    async ({ body, http }) => {
      const { request } = http
      const known = await knownDevices.read(request)
      const signedIn = await login(services, body, { device: deviceOf(request), address: request.ip, known })
      if (signedIn.ok) return signInAnew(http, signedIn.value)
      if (signedIn.code === 'too_many_logins') {
        throw tooManyRequests(signedIn.waitMs, answers.tooManyLogins)
      }
      if (signedIn.code === 'second_factor_required') {
        steps.set(http.reply, signedIn.step)
        throw failed(signInContract.login, signedIn.code, secondFactor.passwordRight)
      }
      throw failed(signInContract.login, signedIn.code, answers.noMatch)
    },
    limited,
  )
  mount(
    signInContract.refreshToken,
    async ({ http }) => {
      const token = cookies.read(http.request)
      const refreshed = await refresh(services, token, deviceOf(http.request), http.request.ip)
      if (refreshed.ok) return signIn(http.reply, refreshed.value)
      cookies.clearSent(http.request, http.reply)
      throw failed(signInContract.refreshToken, refreshed.code, answers.logInAgain)
    },
    pageRequests,
  )
  mount(
    signInContract.logout,
    async ({ http }) => {
      await logout(services, cookies.read(http.request))
      cookies.clearSent(http.request, http.reply)
      return undefined
    },
    pageRequests,
  )
  mountPasswordReset(mount, services, signInAnew)
  mountSecondStep(mount, services, signInAnew)
  mountSecondFactors(mount, services)
}

function deviceOf(request: FastifyRequest): DeviceName {
  return deviceName(request.headers['user-agent'])
}
