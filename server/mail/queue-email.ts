import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { enqueue } from '../jobs/queue.ts'
import { inLanguage } from '../languages/languages.ts'
import { type BudgetSpent, type BudgetUse, reportSpent, reserve } from '../limits/reserve.ts'
import { accountSubject, mailboxSubject } from '../limits/subjects.ts'
import { type EmailTemplate, emailHtml, emailText } from './layout.ts'

/** Queues an e-mail in the caller's transaction, to be sent once. @param key unique for each e-mail */
export async function queueEmail(
  tx: Db,
  key: string,
  to: string,
  template: EmailTemplate & { readonly replyTo?: string },
  at: Date,
): Promise<void> {
  const mail = {
    key,
    to,
    ...(template.replyTo === undefined ? {} : { replyTo: template.replyTo }),
    subject: template.subject,
    text: emailText(template),
    html: emailHtml(template),
  }
  await enqueue(tx, { kind: 'mail', mail }, at)
}

/** As `queueEmail`, in the language of the recipient's account, whoever caused it. @param template called in that language */
export async function queueEmailTo(
  tx: Db,
  key: string,
  { email, language }: { readonly email: string; readonly language: string },
  template: () => EmailTemplate & { readonly replyTo?: string },
  at: Date,
): Promise<void> {
  await inLanguage(language, () => queueEmail(tx, key, email, template(), at))
}

/** An e-mail about an event in an account, which strangers may trigger repeatedly. */
export interface Notice {
  readonly kind:
    | 'new-sign-in'
    | 'replay'
    | 'password-changed'
    | 'second-factor'
    | 'codes-tried'
    | 'account-deleted'
  readonly userId: string
  readonly to: string
  /** Unique among notices of its kind. */
  readonly name: string
  /** Called in the account's language. */
  readonly template: () => EmailTemplate
}

/** Within a daily budget, to confirmed addresses only. Call at the end of the transaction, after every other lock. */
export async function queueNotice(tx: Db, services: Services, notice: Notice): Promise<void> {
  const { kind, userId, to, name, template } = notice
  const language = await languageIfConfirmed(tx, userId)
  if (language === undefined) return
  const spent = await reserveNotice(tx, services, notice)
  if (spent === undefined)
    return inLanguage(language, () => queueEmail(tx, `${kind}:${name}`, to, template(), services.clock.now()))
  // A rollback makes this report one too many, which is harmless.
  reportSpent(services, spent)
}

async function languageIfConfirmed(tx: Db, userId: string): Promise<string | undefined> {
  const [user] = await tx.query<{ language: string }>(
    'select language from app_user where id = $1 and email_verified_at is not null',
    [userId],
  )
  return user?.language
}

/** @returns the exhausted bound; undefined: counted */
async function reserveNotice(
  tx: Db,
  services: Services,
  { kind, userId, to }: Notice,
): Promise<BudgetSpent | undefined> {
  const subjects = {
    account: accountSubject(services, `${userId} ${kind}`),
    mailbox: mailboxSubject(services, to, kind),
  }
  const use = (of: BudgetUse['kind']): BudgetUse => ({ kind: of, subjects, costMicroUsd: 0 })
  const notice = use('notice_mail')
  const first = await reserve(tx, services, [use('first_notice'), { ...notice, beyondEveryone: true }])
  if (first.ok) return undefined
  const reserved = await reserve(tx, services, [notice])
  return reserved.ok ? undefined : reserved.spent
}
