import type { Services } from '../../context.ts'
import { tooManyRequests } from '../../http/failure.ts'
import { hashOrigin } from '../../limits/origin.ts'
import { type BudgetSpent, type BudgetUse, countUse, reportSpent, reserve } from '../../limits/reserve.ts'
import { accountSubject, mailboxSubject, originSubjects, recipientSubject } from '../../limits/subjects.ts'
import { mailLimits } from './mail-budget-texts.ts'

/** An e-mail requested by a form, to an address that may not be the requester's. */
export interface MailRequest {
  /**
   * Only their own e-mail can confirm a `registration` or a `change`, so these are sent even within a minute of another
   * e-mail. They delay the next `confirmation`.
   */
  readonly kind: 'registration' | 'confirmation' | 'change' | 'reset'
  /** The recipient, as accounts are keyed by it. */
  readonly email: string
  /** IP address of the requester, as reported by our trusted proxies. */
  readonly address: string
  readonly userId?: string
}

/**
 * Call before looking up the address, so that neither answer nor timing reveals an account (ADR-48).
 * @returns the exhausted bound; undefined: the e-mail may be sent
 */
export async function reserveMail(
  services: Services,
  { kind, email, address, userId }: MailRequest,
): Promise<BudgetSpent | undefined> {
  const origin = hashOrigin(services, { address, device: null })
  // A reset for a plain address skips the mailbox limit, which a flood of plus addresses could exhaust.
  const countsMailbox = !origin.local && (kind !== 'reset' || email.includes('+'))
  const subjects = {
    recipient: recipientSubject(services, email),
    ...(userId !== undefined && { account: accountSubject(services, userId) }),
    ...(countsMailbox && { mailbox: mailboxSubject(services, email) }),
    ...originSubjects(origin),
  }
  const use = (of: BudgetUse['kind']): BudgetUse => ({ kind: of, subjects, costMicroUsd: 0 })
  const uses = {
    registration: [use('confirmation_mail'), use('mail')],
    change: [use('confirmation_mail'), use('mail')],
    confirmation: [use('confirmation_gap'), use('confirmation_mail'), use('mail')],
    reset: [use('mail'), use('reset_mail')],
  }[kind]
  const reserved = await services.db.transaction(async tx => {
    if (kind === 'registration' || kind === 'change') await countUse(tx, services, use('confirmation_gap'))
    return reserve(tx, services, uses)
  })
  if (reserved.ok) return undefined
  reportSpent(services, reserved.spent)
  return reserved.spent
}

/** The answer is the same for every address. @throws RequestFailure 429 when the e-mail budget is exhausted */
export async function limitMails(services: Services, mail: MailRequest): Promise<void> {
  const spent = await reserveMail(services, mail)
  if (spent !== undefined) throw tooManyRequests(spent.waitMs, mailSpentText(spent, mail.kind))
}

/** Why an e-mail is not sent. True of any address, so it reveals nothing about an account. */
export function mailSpentText({ per }: BudgetSpent, asked: MailRequest['kind']): string {
  switch (per) {
    case 'everyone':
      return mailLimits.everyone
    case 'account':
      return mailLimits.account
    case 'recipient':
    case 'mailbox':
      return asked === 'confirmation' || asked === 'reset' ? mailLimits.askedBefore : mailLimits.address
    default:
      return mailLimits.here
  }
}
