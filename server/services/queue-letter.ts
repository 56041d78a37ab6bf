import type { Db } from '../db/port.ts'
import { enqueue } from '../jobs/queue.ts'
import { type Letter, letterHtml, letterText } from '../mail/layout.ts'

/**
 * Queues a letter in the caller's transaction, to be sent once.
 * @param key never that of another letter
 */
export async function queueLetter(
  tx: Db,
  key: string,
  to: string,
  letter: Letter & { readonly replyTo?: string },
  at: Date,
): Promise<void> {
  const mail = {
    key,
    to,
    ...(letter.replyTo === undefined ? {} : { replyTo: letter.replyTo }),
    subject: letter.subject,
    text: letterText(letter),
    html: letterHtml(letter),
  }
  await enqueue(tx, { kind: 'mail', mail }, at)
}
