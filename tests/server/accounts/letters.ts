import type { Db } from '#server/db/port.ts'

export interface QueuedLetter {
  readonly subject: string
  readonly text: string
}

/** Letters to an address that wait to be sent, newest first. */
export async function lettersTo(db: Db, to: string): Promise<QueuedLetter[]> {
  return db.query<QueuedLetter>(
    `select data->>'subject' as subject, data->>'text' as text from job
     where kind = 'mail' and data->>'to' = $1 order by id desc`,
    [to],
  )
}

const links = {
  confirm: /\/verify-email\?token=([\w-]+)/,
  change: /\/verify-email\?change=([\w-]+)/,
  reset: /\/reset-password\/([\w-]+)/,
} as const

/** The tokens of all links of a kind in letters, in their order. */
export function tokensIn(letters: readonly { readonly text: string }[], kind: keyof typeof links): string[] {
  return letters.flatMap(({ text }) => links[kind].exec(text)?.[1] ?? [])
}

/** The token of the newest link of a kind. */
export function newestToken(letters: readonly { readonly text: string }[], kind: keyof typeof links): string {
  const [token] = tokensIn(letters, kind)
  if (token === undefined) throw new Error(`no letter has a link of the kind ${kind}`)
  return token
}
