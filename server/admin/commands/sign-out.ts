import * as z from 'zod/mini'
import { type Command, onlyArgument, unknownAccount } from './command.ts'

const answer = z.object({ devices: z.number() })

export const signOutCommand: Command = {
  name: 'sign-out',
  synopsis: 'sign-out <email>',
  does: 'Signs every device of an account out',
  read(typed) {
    const email = onlyArgument(typed)
    if (email === undefined) return undefined
    return {
      path: '/sign-out',
      body: { email, actor: typed.actor },
      uncertainty: 'whether it did; run it again',
    }
  },
  format(value, { body }) {
    const { devices } = z.parse(answer, value)
    const what = devices === 1 ? '1 device' : `${devices} devices`
    return `${body.email} is signed out: ${what}. Running calls go on; a new call needs a new sign-in.`
  },
  errorTexts: { unknown_account: unknownAccount },
}
