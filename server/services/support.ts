import { createHash } from 'node:crypto'
import type { RequestOutput } from '#lib/api/endpoint.ts'
import type { support } from '#lib/api/support.ts'
import { company } from '#lib/company.ts'
import type { Db } from '../db/port.ts'
import { enqueue } from '../jobs/queue.ts'
import { letterHtml, letterText } from '../mail/layout.ts'
import { supportLetter } from '../mail/letters.ts'
import type { Services } from './context.ts'

export type SupportMessage = RequestOutput<typeof support>['body']

/** Nothing that is taken for another letter or digit, and no vowels, so that it spells nothing. */
const referenceAlphabet = '23456789BCDFGHJKLMNPQRSTVWXZ'
const referenceLength = 6

/**
 * Queues a visitor's message as a mail to support and gives its reference. The same message from the same
 * form is queued once, however often it arrives. The visitor gets no mail: to let anybody have a mail of ours
 * sent to any address would make us a relay.
 */
export async function sendSupportMessage(services: Services, message: SupportMessage): Promise<string> {
  const key = digest(message)
  return services.db.transaction(async tx => {
    const reference = newReference(services)
    const [written] = await tx.query(
      `insert into support_message (key, reference, created_at) values ($1, $2, $3)
       on conflict (key) do nothing returning reference`,
      [key, reference, services.clock.now()],
    )
    if (written === undefined) return findReference(tx, key)
    const letter = supportLetter(reference, message)
    const mail = {
      key: `support:${reference}`,
      to: company.supportEmail,
      replyTo: message.email,
      subject: letter.subject,
      text: letterText(letter),
      html: letterHtml(letter),
    }
    await enqueue(tx, { kind: 'mail', mail }, services.clock.now())
    return reference
  })
}

async function findReference(tx: Db, key: Uint8Array): Promise<string> {
  const [row] = await tx.query<{ reference: string }>(
    'select reference from support_message where key = $1',
    [key],
  )
  if (row === undefined) throw new Error('a support message was neither written nor found')
  return row.reference
}

function digest({ formId, name, email, about, message }: SupportMessage): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify([formId, name, email, about, message]))
    .digest()
}

function newReference({ random }: Services): string {
  const letters = Array.from(random.bytes(referenceLength), byte =>
    referenceAlphabet.charAt(byte % referenceAlphabet.length),
  )
  return `S-${letters.join('')}`
}
