import * as z from 'zod/mini'
import { type Command, onlyArgument, unknownAccount } from './command.ts'

const answer = z.object({ devices: z.number() })

export const resetSecondFactorCommand: Command = {
  name: 'reset-second-factor',
  synopsis: 'reset-second-factor <email>',
  does: 'Takes the second factors away of somebody who has lost all of them, signs them out, and tells them by mail',
  read(typed) {
    const email = onlyArgument(typed)
    if (email === undefined) return undefined
    return {
      path: '/reset-second-factor',
      body: { email, actor: typed.actor },
      uncertainty: 'whether it did; run it again',
    }
  },
  format(value, { body }) {
    const { devices } = z.parse(answer, value)
    const what = devices === 1 ? '1 device is' : `${devices} devices are`
    return `${body.email} has no second factor any more. ${what} signed out, and a mail says so.`
  },
  errorTexts: {
    unknown_account: unknownAccount,
    no_second_factor: 'That account has no second factor. It needs its password, or Google.',
  },
}
