import type { FastifyRequest } from 'fastify'
import * as contract from '#lib/api/second-factor.ts'
import { secondFactorPolicy } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import { commonFailure, failed, tooManyRequests } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import { deviceName } from '../../identity/device-name.ts'
import { ownerProof, proofOutdated } from '../password/owner-proof.ts'
import { knownDeviceCookie } from '../sign-in/known-device-cookie.ts'
import type { SignInAnew } from '../sign-in/sign-in-anew.ts'
import { stepCookie } from '../sign-in/step-cookie.ts'
import { readSecurity } from './factors.ts'
import {
  addPasskey,
  type Changer,
  confirmAuthenticator,
  makeRecoveryCodes,
  removeAuthenticator,
  removePasskey,
  startAuthenticator,
  startPasskey,
} from './manage.ts'
import {
  signInWithCode,
  signInWithPasskey,
  startPasskeySignIn,
  startSecondFactor,
  type TooManyCodes,
} from './second-step.ts'

/** From one address. */
const perMinute = 60

/** For programs that sign in with a password only. */
export const secondFactorText =
  'Your password is right. Now show your second factor: reload this page and log in again if it does not ask for it.'

const stepExpired = 'That took longer than 10 minutes. Begin again, please.'
const tooManyPasskeys = `An account has up to ${secondFactorPolicy.maxPasskeys} passkeys. Remove one that you no longer use.`

/** If others caused the limit, says where the owner can still sign in. */
function tooManyCodesText({ onKnownDevice }: TooManyCodes): string {
  const what = 'Too many codes were wrong.'
  return onKnownDevice ? what : `${what} A browser that you have logged in with before still takes them.`
}

export function mountSecondFactor(mount: Mount, services: Services, signIn: SignInAnew): void {
  const steps = stepCookie(services.publicUrl)
  const knownDevices = knownDeviceCookie(services)
  const limited = { perMinute }
  const placeOf = (request: FastifyRequest) => ({
    device: deviceName(request.headers['user-agent']),
    address: request.ip,
  })

  mount(
    contract.startSecondFactor,
    async ({ http }) => {
      const started = await startSecondFactor(services, steps.read(http.request))
      if (!started.ok) throw failed(contract.startSecondFactor, started.code, stepExpired)
      return started.value
    },
    limited,
  )
  mount(
    contract.secondFactorCode,
    async ({ body, http }) => {
      const step = steps.read(http.request)
      const known = await knownDevices.read(http.request)
      const place = { ...placeOf(http.request), known }
      const signedIn = await signInWithCode(services, step, body.code, place)
      if (signedIn.ok) return signIn(http, signedIn.value)
      if (signedIn.code === 'too_many_codes')
        throw tooManyRequests(signedIn.waitMs, tooManyCodesText(signedIn))
      const words =
        signedIn.code === 'wrong_code'
          ? 'That code is not right, or was used already. Take the one that your app shows now.'
          : stepExpired
      throw failed(contract.secondFactorCode, signedIn.code, words)
    },
    limited,
  )
  mount(
    contract.startPasskeySignIn,
    async ({ http }) => {
      const { options, step } = await startPasskeySignIn(services)
      steps.set(http.reply, step)
      return { options }
    },
    limited,
  )
  mount(
    contract.passkeySignIn,
    async ({ body, http }) => {
      const step = steps.read(http.request)
      const signedIn = await signInWithPasskey(services, step, body.response, placeOf(http.request))
      if (signedIn.ok) return signIn(http, signedIn.value)
      const words =
        signedIn.code === 'passkey_refused'
          ? 'That passkey does not open an account here. Choose another one, or log in another way.'
          : stepExpired
      throw failed(contract.passkeySignIn, signedIn.code, words)
    },
    limited,
  )

  const changerOf = (who: {
    userId: string
    sessionId: string | undefined
    http: { readonly request: FastifyRequest }
  }): Changer => ({ userId: who.userId, sessionId: who.sessionId, address: who.http.request.ip })

  mount(contract.getSecurity, ({ userId, sessionId }) => readSecurity(services.db, userId, sessionId))
  mount(
    contract.startPasskey,
    async ({ body, ...who }) => {
      const known = await ownerProof(services, contract.startPasskey, who, body.password)
      const started = await startPasskey(services, changerOf(who), known)
      if (started.ok) {
        steps.set(who.http.reply, started.value.step)
        return { options: started.value.options }
      }
      if (started.code === 'wrong_password') throw proofOutdated(contract.startPasskey)
      throw failed(contract.startPasskey, started.code, tooManyPasskeys)
    },
    limited,
  )
  mount(
    contract.addPasskey,
    async ({ body, ...who }) => {
      const { request, reply } = who.http
      const added = await addPasskey(services, changerOf(who), steps.read(request), body)
      if (added.ok) {
        steps.clear(request, reply)
        return added.value
      }
      const words = {
        passkey_refused: 'That passkey could not be used. Try again, or choose another device.',
        step_expired: stepExpired,
        too_many_passkeys: tooManyPasskeys,
      }
      throw failed(contract.addPasskey, added.code, words[added.code])
    },
    limited,
  )
  mount(
    contract.removePasskey,
    async ({ body, params, ...who }) => {
      const known = await ownerProof(services, contract.removePasskey, who, body.password)
      const removed = await removePasskey(services, changerOf(who), known, params.id)
      if (removed === undefined) throw commonFailure('not_found')
      if (!removed.ok) throw proofOutdated(contract.removePasskey)
      return removed.value.security
    },
    limited,
  )
  mount(
    contract.startAuthenticator,
    async ({ body, ...who }) => {
      const known = await ownerProof(services, contract.startAuthenticator, who, body.password)
      const started = await startAuthenticator(services, changerOf(who), known)
      if (!started.ok) throw proofOutdated(contract.startAuthenticator)
      return started.value
    },
    limited,
  )
  mount(
    contract.confirmAuthenticator,
    async ({ body, ...who }) => {
      const confirmed = await confirmAuthenticator(services, changerOf(who), body.code)
      if (confirmed.ok) return confirmed.value
      const words = {
        wrong_code:
          'That code is not right. Take the one that your app shows now, and see that its clock is right.',
        step_expired: 'That took longer than an hour. Begin again, please.',
      }
      throw failed(contract.confirmAuthenticator, confirmed.code, words[confirmed.code])
    },
    limited,
  )
  mount(
    contract.removeAuthenticator,
    async ({ body, ...who }) => {
      const known = await ownerProof(services, contract.removeAuthenticator, who, body.password)
      const removed = await removeAuthenticator(services, changerOf(who), known)
      if (!removed.ok) throw proofOutdated(contract.removeAuthenticator)
      return removed.value.security
    },
    limited,
  )
  mount(
    contract.makeRecoveryCodes,
    async ({ body, ...who }) => {
      const known = await ownerProof(services, contract.makeRecoveryCodes, who, body.password)
      const made = await makeRecoveryCodes(services, changerOf(who), known)
      if (made.ok) return made.value
      if (made.code === 'wrong_password') throw proofOutdated(contract.makeRecoveryCodes)
      throw failed(
        contract.makeRecoveryCodes,
        made.code,
        'Recovery codes stand in for a second factor. Add a passkey or an authenticator app first.',
      )
    },
    limited,
  )
}
