import { me } from '#lib/api/me.ts'
import * as contract from '#lib/api/profile.ts'
import type { Services } from '../../context.ts'
import { commonFailure, failed, invalidField, tooManyRequests } from '../../http/failure.ts'
import { type Mount, pageRequests } from '../../http/mount.ts'
import { findUser, presentUser, rememberLanguage } from '../../identity/users.ts'
import { removeSavedCard } from '../../payments/payments.ts'
import { answers } from '../account-texts.ts'
import { changePassword } from '../password/change-password.ts'
import { limitGuesses } from '../password/owner-proof.ts'
import { mailSpentText } from '../registration/mail-budget.ts'
import { cancelEmailChange, changeEmail, confirmEmailChange } from './change-email.ts'
import { changeName, findProfile, keepHeardAbout } from './profile.ts'

const pressesPerMinute = 60

export function mountProfile(mount: Mount, services: Services): void {
  const limited = { perMinute: pressesPerMinute }
  const profileOf = async (userId: string) => {
    const profile = await findProfile(services, userId)
    if (profile === undefined) throw commonFailure('unauthorized')
    return profile
  }

  mount(
    me,
    async ({ userId }) => {
      const user = await findUser(services.db, userId)
      if (user === undefined) throw commonFailure('unauthorized')
      await rememberLanguage(services.db, user)
      return presentUser(user)
    },
    pageRequests,
  )
  mount(contract.getProfile, ({ userId }) => profileOf(userId))
  mount(
    contract.changeName,
    async ({ userId, body }) => {
      await changeName(services, userId, body.name)
      return profileOf(userId)
    },
    limited,
  )
  mount(
    contract.changeEmail,
    async ({ userId, sessionId, body, http }) => {
      const from = { address: http.request.ip, sessionId }
      await limitGuesses(services, userId, from)
      const asked = await changeEmail(services, userId, body, from)
      if (asked.ok) return profileOf(userId)
      if (asked.code === 'too_many_mails')
        throw tooManyRequests(asked.spent.waitMs, mailSpentText(asked.spent, 'change'))
      throw failed(contract.changeEmail, asked.code, asked.message)
    },
    limited,
  )
  mount(
    contract.cancelEmailChange,
    async ({ userId }) => {
      await cancelEmailChange(services, userId)
      return profileOf(userId)
    },
    limited,
  )
  mount(
    contract.confirmEmailChange,
    async ({ body }) => {
      const moved = await confirmEmailChange(services, body.token)
      if (moved.ok) return moved.value
      const message = moved.code === 'email_taken' ? answers.emailTaken : answers.changeLinkExpired
      throw failed(contract.confirmEmailChange, moved.code, message)
    },
    limited,
  )
  mount(
    contract.changePassword,
    async ({ userId, sessionId, body, http }) => {
      const from = { address: http.request.ip, sessionId }
      await limitGuesses(services, userId, from)
      const changed = await changePassword(services, userId, body, from)
      if (changed.ok) return undefined
      if (changed.code === 'weak_password') throw invalidField('next', changed.message)
      throw failed(contract.changePassword, changed.code, changed.message)
    },
    limited,
  )
  mount(
    contract.heardAbout,
    async ({ userId, body }) => {
      await keepHeardAbout(services, userId, body)
      return undefined
    },
    limited,
  )
  mount(
    contract.removeSavedCard,
    async ({ userId }) => {
      const removed = await removeSavedCard(services, userId)
      if (!removed.ok) throw commonFailure('unavailable', answers.cardStays)
      return profileOf(userId)
    },
    limited,
  )
}
