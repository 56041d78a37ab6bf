import type { Db } from '../db/port.ts'
import type { Clock } from '../process/clock.ts'
import type { Mailer } from './port.ts'

export interface InboxMail {
  /** The id in the address of its HTML, `/dev/inbox/<id>`. */
  readonly id: string
  readonly to: string
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly sentAt: string
}

const shown = 200

/** The local stand-in for a mail server: stores e-mails in a table, shown at `/dev/inbox`. */
export function createLocalInbox(db: Db, clock: Clock): Mailer {
  return {
    send: async mail => {
      await db.query(
        `insert into inbox_mail (key, recipient, reply_to, subject, body_text, body_html, sent_at)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (key) do nothing`,
        [mail.key, mail.to, mail.replyTo ?? null, mail.subject, mail.text, mail.html, clock.now()],
      )
    },
  }
}

export async function listInbox(db: Db): Promise<InboxMail[]> {
  const rows = await db.query<{
    id: number
    recipient: string
    reply_to: string | null
    subject: string
    body_text: string
    body_html: string
    sent_at: Date
  }>(
    `select id, recipient, reply_to, subject, body_text, body_html, sent_at from inbox_mail
     order by sent_at desc, id desc limit ${shown}`,
  )
  return rows.map(row => ({
    id: String(row.id),
    to: row.recipient,
    replyTo: row.reply_to,
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    sentAt: row.sent_at.toISOString(),
  }))
}

/** Empties the inbox. Queued e-mails still arrive. */
export async function emptyInbox(db: Db): Promise<void> {
  await db.query('delete from inbox_mail')
}
