import type { FastifyRequest } from 'fastify'
import * as contract from '#lib/api/second-factor.ts'
import { secondFactorPolicy } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import { commonFailure, failed } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import { ownerProof, proofOutdated } from '../password/owner-proof.ts'
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
import { secondFactor } from './second-factor-texts.ts'

const perMinute = 60

const tooManyPasskeys = () => secondFactor.tooManyPasskeys({ max: String(secondFactorPolicy.maxPasskeys) })

export function mountSecondFactors(mount: Mount, services: Services): void {
  const steps = stepCookie(services.publicUrl)
  const limited = { perMinute }

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
      throw failed(contract.startPasskey, started.code, tooManyPasskeys())
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
      const texts = {
        passkey_refused: secondFactor.passkeyRefused,
        step_expired: secondFactor.stepExpired,
        too_many_passkeys: tooManyPasskeys(),
      }
      throw failed(contract.addPasskey, added.code, texts[added.code])
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
      const texts = {
        wrong_code: secondFactor.wrongNewCode,
        step_expired: secondFactor.setUpExpired,
      }
      throw failed(contract.confirmAuthenticator, confirmed.code, texts[confirmed.code])
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
      throw failed(contract.makeRecoveryCodes, made.code, secondFactor.noSecondFactor)
    },
    limited,
  )
}
