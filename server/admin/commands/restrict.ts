import * as z from 'zod/mini'
import { formatBalance } from '#lib/money/money.ts'
import { type Command, missingReason, onlyArgument, unknownAccount } from './command.ts'

const errorTexts = {
  unknown_account: unknownAccount,
  missing_reason: missingReason,
  long_reason: 'The reason is too long: shorten it to at most 300 characters.',
}

const answer = z.object({ credits: z.number() })

function restriction(
  name: 'block' | 'unblock',
  about: Pick<Command, 'synopsis' | 'does'>,
  done: string,
  stands: string,
): Command {
  return {
    name,
    ...about,
    read(typed) {
      const email = onlyArgument(typed)
      if (email === undefined) return undefined
      const { reason, actor } = typed
      const signOut = name === 'block' && typed.signOut
      return {
        path: `/${name}`,
        body: { email, reason, actor, ...(signOut && { signOut }) },
        uncertainty: `whether it did; look with: user ${email}`,
      }
    },
    format(value, { body }) {
      const out = body.signOut === true ? ' Every device is logged out.' : ''
      return `${body.email} ${done}${out} The balance stays ${formatBalance(z.parse(answer, value).credits)}.`
    },
    errorTexts: { ...errorTexts, stands_already: stands },
  }
}

export const blockCommand = restriction(
  'block',
  {
    synopsis: 'block <email> --reason "<what its user reads>" [--sign-out]',
    does: 'Blocks an account from calling; its running calls end within seconds. --sign-out: also ends its sessions',
  },
  'may no longer call.',
  'That account is already blocked, for the same reason.',
)

export const unblockCommand = restriction(
  'unblock',
  { synopsis: 'unblock <email> --reason "<why>"', does: 'Lets a blocked account call again' },
  'may call again.',
  'That account is not blocked.',
)
