import type { Db } from '../db/port.ts'
import type { Clock } from '../process/clock.ts'
import { createLocalInbox } from './local-inbox.ts'
import type { Mailer } from './port.ts'
import type { SmtpSettings } from './smtp.ts'

export async function openMail(
  { smtp }: { readonly smtp: SmtpSettings | undefined },
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): Promise<{ readonly mailer: Mailer; close(): void }> {
  if (smtp === undefined) return { mailer: createLocalInbox(db, clock), close: () => {} }
  const { createSmtpMailer } = await import('./smtp.ts')
  const mailer = createSmtpMailer(smtp)
  return { mailer, close: () => mailer.close() }
}
