import * as contract from '#lib/api/auth.ts'
import type { Services } from '../../context.ts'
import { failed, invalidField } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import { deviceName } from '../../identity/device-name.ts'
import { answers } from '../account-texts.ts'
import { limitMails } from '../registration/mail-budget.ts'
import { secondFactor } from '../second-factor/second-factor-texts.ts'
import type { SignInAnew } from '../sign-in/sign-in-anew.ts'
import { stepCookie } from '../sign-in/step-cookie.ts'
import { checkResetLink, forgotPassword, resetPassword } from './password-reset.ts'

const attemptsPerMinute = 60

export function mountPasswordReset(mount: Mount, services: Services, signIn: SignInAnew): void {
  const limited = { perMinute: attemptsPerMinute }
  const steps = stepCookie(services.publicUrl)
  mount(
    contract.forgotPassword,
    async ({ body, http }) => {
      await limitMails(services, { kind: 'reset', email: body.email, address: http.request.ip })
      await forgotPassword(services, body.email)
      return {}
    },
    limited,
  )
  mount(
    contract.checkResetLink,
    async ({ body }) => {
      const checked = await checkResetLink(services, body.token)
      if (!checked.ok) throw failed(contract.checkResetLink, checked.code, answers.resetLinkExpired)
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
      if (reset.code === 'second_factor_required') {
        steps.set(http.reply, reset.step)
        throw failed(contract.resetPassword, reset.code, secondFactor.passwordRight)
      }
      throw failed(contract.resetPassword, reset.code, answers.resetLinkExpired)
    },
    limited,
  )
}
