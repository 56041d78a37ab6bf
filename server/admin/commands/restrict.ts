import * as z from 'zod/mini'
import { formatBalance } from '#lib/money/money.ts'
import { type Command, missingReason, onlyArgument, unknownAccount } from './command.ts'

const errorTexts = {
  unknown_account: unknownAccount,
  missing_reason: missingReason,
  long_reason: 'The reason may have 300 characters at most.',
}

const answer = z.object({ credits: z.number() })

function restriction(
  name: 'block' | 'unblock',
  words: Pick<Command, 'synopsis' | 'does'>,
  done: string,
  stands: string,
): Command {
  return {
    name,
    ...words,
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
      const out = body.signOut === true ? ' Every device is signed out.' : ''
      return `${body.email} ${done}${out} The balance stays ${formatBalance(z.parse(answer, value).credits)}.`
    },
    errorTexts: { ...errorTexts, stands_already: stands },
  }
}

export const blockCommand = restriction(
  'block',
  {
    synopsis: 'block <email> --reason "<what its user reads>" [--sign-out]',
    does: 'Keeps an account from calling; calls that run end within seconds. --sign-out: ends its sessions too',
  },
  'may not call any more.',
  'That account is blocked already, for the same reason.',
)

export const unblockCommand = restriction(
  'unblock',
  { synopsis: 'unblock <email> --reason "<why>"', does: 'Lets it call again' },
  'may call again.',
  'That account may call already.',
)
