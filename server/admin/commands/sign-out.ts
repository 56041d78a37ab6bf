import * as z from 'zod/mini'
import { type Command, onlyArgument, type Typed, unknownAccount } from './command.ts'

const answer = z.object({ devices: z.number() })

const read = (path: string) => (typed: Typed) => {
  const email = onlyArgument(typed)
  if (email === undefined) return undefined
  return { path, body: { email, actor: typed.actor }, uncertainty: 'whether it did; run it again' }
}

export const signOutCommand: Command = {
  name: 'sign-out',
  synopsis: 'sign-out <email>',
  does: 'Logs out every device of an account',
  read: read('/sign-out'),
  format(value, { body }) {
    const { devices } = z.parse(answer, value)
    const what = devices === 1 ? '1 device' : `${devices} devices`
    return `${body.email} is logged out: ${what}. Running calls continue; a new call needs a new login.`
  },
  errorTexts: { unknown_account: unknownAccount },
}

export const resetSecondFactorCommand: Command = {
  name: 'reset-second-factor',
  synopsis: 'reset-second-factor <email>',
  does: 'Removes the second factors of an account whose user lost all of them, logs it out, and notifies the user by e-mail',
  read: read('/reset-second-factor'),
  format(value, { body }) {
    const { devices } = z.parse(answer, value)
    const what = devices === 1 ? '1 device is' : `${devices} devices are`
    return `${body.email} no longer has a second factor. ${what} logged out, and the user has been notified by e-mail.`
  },
  errorTexts: {
    unknown_account: unknownAccount,
    no_second_factor: 'That account has no second factor: its user logs in with a password or Google.',
  },
}
