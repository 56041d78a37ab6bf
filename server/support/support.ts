import { createHash } from 'node:crypto'
import type { RequestOutput } from '#lib/api/endpoint.ts'
import type { support } from '#lib/api/support.ts'
import { company } from '#lib/company.ts'
import { sourceLanguage } from '#lib/i18n/language.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { enqueue } from '../jobs/queue.ts'
import { inLanguage } from '../languages/languages.ts'
import { hashOrigin } from '../limits/origin.ts'
import { type BudgetSpent, reportSpent, reserve } from '../limits/reserve.ts'
import { originSubjects } from '../limits/subjects.ts'
import { emailHtml, emailText } from '../mail/layout.ts'
import { supportEmail } from './support-email.ts'

export type SupportMessage = RequestOutput<typeof support>['body']

/** No look-alike characters, and no vowels, so that it spells nothing. */
const referenceAlphabet = '23456789BCDFGHJKLMNPQRSTVWXZ'
const referenceLength = 6

export type SentMessage =
  | { readonly ok: true; readonly reference: string }
  | { readonly ok: false; readonly spent: BudgetSpent }

/** Queues the same message once. The visitor gets no e-mail: we would be an open relay. @param address their IP */
export async function sendSupportMessage(
  services: Services,
  message: SupportMessage,
  address: string,
): Promise<SentMessage> {
  const key = digest(message)
  const origin = hashOrigin(services, { address, device: null })
  const use = { kind: 'support_mail', subjects: originSubjects(origin), costMicroUsd: 0 } as const
  const sent = await services.db.transaction<SentMessage>(async tx => {
    const reference = newReference(services)
    const [written] = await tx.query(
      `insert into support_message (key, reference, created_at) values ($1, $2, $3)
       on conflict (key) do nothing returning reference`,
      [key, reference, services.clock.now()],
    )
    if (written === undefined) return { ok: true, reference: await findReference(tx, key) }
    const reserved = await reserve(tx, services, [use])
    if (!reserved.ok) {
      await tx.query('delete from support_message where key = $1', [key])
      return reserved
    }
    const supportMessage = supportEmail(reference, message)
    // To our staff, whatever language the visitor reads.
    const mail = inLanguage(sourceLanguage, () => ({
      key: `support:${reference}`,
      to: company.supportEmail,
      replyTo: message.email,
      subject: supportMessage.subject,
      text: emailText(supportMessage),
      html: emailHtml(supportMessage),
    }))
    await enqueue(tx, { kind: 'mail', mail }, services.clock.now())
    return { ok: true, reference }
  })
  if (!sent.ok) reportSpent(services, sent.spent)
  return sent
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
