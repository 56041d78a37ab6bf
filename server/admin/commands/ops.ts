import * as z from 'zod/mini'
import { uuidPattern } from '#lib/uuid.ts'
import { type Command, minuteOf } from './command.ts'

const printed = z.object({ link: z.string(), expiresAt: z.string() })

export const opsLinkCommand: Command = {
  name: 'ops-link',
  synopsis: 'ops-link [--as <name>]',
  does: "Prints a link that opens the operator's page, once and within 10 minutes",
  read({ args, as, actor }) {
    if (args.length > 0) return undefined
    return {
      path: '/ops-link',
      body: { name: as ?? actor, actor },
      uncertainty: 'whether it made one; ask for another',
    }
  },
  format(value) {
    const { link, expiresAt } = z.parse(printed, value)
    return `${link}\nIt works once, until ${minuteOf(expiresAt)} UTC. Open it while logged in with a second factor: you are then logged in as an operator for 12 hours.`
  },
  errorTexts: {
    invalid_name: 'A name has up to 40 letters and digits, with blanks, dots and hyphens between.',
  },
}

const listed = z.array(z.object({ id: z.string(), name: z.string(), since: z.string(), until: z.string() }))
const ended = z.object({ ended: z.number() })

export const opsSessionsCommand: Command = {
  name: 'ops-sessions',
  synopsis: 'ops-sessions [--end [<session>]]',
  does: 'Lists who is logged in as an operator; ends one session, or all',
  read({ args: [id, ...rest], end, actor }) {
    if (rest.length > 0 || (id !== undefined && !(end && uuidPattern.test(id)))) return undefined
    if (!end) return { path: '/ops-sessions', body: {}, uncertainty: 'who is logged in' }
    return {
      path: '/ops-sessions/end',
      body: { id: id ?? null, actor },
      uncertainty: 'whether it ended them; look with: ops-sessions',
    }
  },
  format(value, { path }) {
    if (path === '/ops-sessions/end') {
      const { ended: count } = z.parse(ended, value)
      return count === 1 ? 'Ended 1 session.' : `Ended ${count} sessions.`
    }
    const lines = z
      .parse(listed, value)
      .map(
        ({ id, name, since, until }) => `${id}  ${name}  since ${minuteOf(since)}, until ${minuteOf(until)}`,
      )
    return lines.length === 0 ? 'Nobody is logged in.' : lines.join('\n')
  },
  errorTexts: { unknown_session: 'No such session is open. List them with: ops-sessions' },
}
