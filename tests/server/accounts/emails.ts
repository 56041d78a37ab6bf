import type { Db } from '#server/db/port.ts'

export interface QueuedEmail {
  readonly subject: string
  readonly text: string
}

/** Letters to an address that wait to be sent, newest first. */
export async function emailsTo(db: Db, to: string): Promise<QueuedEmail[]> {
  return db.query<QueuedEmail>(
    `select data->>'subject' as subject, data->>'text' as text from job
     where kind = 'mail' and data->>'to' = $1 order by id desc`,
    [to],
  )
}

const links = {
  confirm: /\/verify-email#token=([\w-]+)/,
  change: /\/verify-email#change=([\w-]+)/,
  reset: /\/reset-password#token=([\w-]+)/,
} as const

/** The tokens of all links of a kind in e-mails, in their order. */
export function tokensIn(emails: readonly { readonly text: string }[], kind: keyof typeof links): string[] {
  return emails.flatMap(({ text }) => links[kind].exec(text)?.[1] ?? [])
}

/** The token of the newest link of a kind. */
export function newestToken(emails: readonly { readonly text: string }[], kind: keyof typeof links): string {
  const [token] = tokensIn(emails, kind)
  if (token === undefined) throw new Error(`no letter has a link of the kind ${kind}`)
  return token
}
