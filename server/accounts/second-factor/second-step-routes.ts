import type { FastifyRequest } from 'fastify'
import * as contract from '#lib/api/second-factor.ts'
import type { Services } from '../../context.ts'
import { failed, tooManyRequests } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import { deviceName } from '../../identity/device-name.ts'
import { knownDeviceCookie } from '../sign-in/known-device-cookie.ts'
import type { SignInAnew } from '../sign-in/sign-in-anew.ts'
import { stepCookie } from '../sign-in/step-cookie.ts'
import { secondFactor } from './second-factor-texts.ts'
import {
  signInWithCode,
  signInWithPasskey,
  startPasskeySignIn,
  startSecondFactor,
  type TooManyCodes,
} from './second-step.ts'

const perMinute = 60

/** If others caused the limit, says where the owner can still sign in. */
function tooManyCodesText({ onKnownDevice }: TooManyCodes): string {
  return onKnownDevice ? secondFactor.tooManyCodes : secondFactor.tooManyCodesHere
}

export function mountSecondStep(mount: Mount, services: Services, signIn: SignInAnew): void {
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
      if (!started.ok) throw failed(contract.startSecondFactor, started.code, secondFactor.stepExpired)
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
      const message = signedIn.code === 'wrong_code' ? secondFactor.wrongCode : secondFactor.stepExpired
      throw failed(contract.secondFactorCode, signedIn.code, message)
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
      const message =
        signedIn.code === 'step_expired' ? secondFactor.stepExpired : secondFactor.unknownPasskey
      throw failed(contract.passkeySignIn, signedIn.code, message)
    },
    limited,
  )
}
