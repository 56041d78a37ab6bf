import * as z from 'zod/mini'
import { formatBalance } from '#lib/rules/money.ts'
import { type Command, missingReason, onlyWord, unknownAccount } from './command.ts'

const refusals = {
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
      const email = onlyWord(typed)
      if (email === undefined) return undefined
      const { reason, actor } = typed
      return {
        path: `/${name}`,
        body: { email, reason, actor },
        doubt: `whether it did; look with: user ${email}`,
      }
    },
    tell(value, { body }) {
      return `${body.email} ${done} The balance stays ${formatBalance(z.parse(answer, value).credits)}.`
    },
    refusals: { ...refusals, stands_already: stands },
  }
}

export const blockCommand = restriction(
  'block',
  {
    synopsis: 'block <email> --reason "<what its user reads>"',
    does: 'Keeps an account from calling; calls that run end within seconds',
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
