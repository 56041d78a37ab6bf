import { createHmac } from 'node:crypto'
import type { Services } from '../context.ts'
import { mailDomainOf } from '../identity/mail-domain.ts'
import { normaliseMailbox } from '../identity/mailbox.ts'
import type { BudgetScope } from './budget-policy.ts'
import type { CallerOrigin } from './origin.ts'

/** The subject of a use for each scope. A missing scope has no limit. */
export type Subjects = { readonly [Scope in Exclude<BudgetScope, 'everyone'>]?: string }

/** Keyed hash, so that the database reveals no account, mailbox, address or number. */
function hashed({ keys }: Pick<Services, 'keys'>, text: string): string {
  return createHmac('sha256', keys.origin).update(`budget ${text}`).digest('base64url')
}

/** Subjects of a request's origin. Loopback is this machine, which has no limits (PD-20). */
export function originSubjects(origin: CallerOrigin | undefined): Subjects {
  if (origin === undefined || origin.local) return {}
  const text = (hash: Uint8Array) => Buffer.from(hash).toString('base64url')
  return {
    ...(origin.address !== null && { address: text(origin.address) }),
    ...(origin.network !== null && { network: text(origin.network) }),
    ...(origin.allocation !== null && { allocation: text(origin.allocation) }),
    ...(origin.device !== null && { device: text(origin.device) }),
  }
}

/** Subjects of a user and their origin. From loopback, one mailbox may have any number of accounts. */
export function personSubjects(
  services: Pick<Services, 'keys'>,
  user: { readonly id: string; readonly email: string },
  origin: CallerOrigin | undefined,
): Subjects {
  const local = origin?.local === true
  const domain = mailDomainOf(user.email)
  return {
    account: accountSubject(services, user.id),
    ...(!local && { mailbox: mailboxSubject(services, user.email) }),
    ...(!local && domain !== null && { mail_domain: hashed(services, `mail domain ${domain}`) }),
    ...originSubjects(origin),
  }
}

/** @param id user id, with a suffix for uses that are counted apart */
export function accountSubject(services: Pick<Services, 'keys'>, id: string): string {
  return hashed(services, `account ${id}`)
}

/** @param what names uses that are counted apart */
export function mailboxSubject(services: Pick<Services, 'keys'>, email: string, what = ''): string {
  return hashed(services, `mailbox ${normaliseMailbox(email)}${what === '' ? '' : ` ${what}`}`)
}

/** @param email as accounts are keyed by it */
export function recipientSubject(services: Pick<Services, 'keys'>, email: string): string {
  return hashed(services, `recipient ${email}`)
}

/** @param fingerprint the provider's, the same for whoever pays with the card */
export function cardSubject(services: Pick<Services, 'keys'>, fingerprint: string): string {
  return hashed(services, `card ${fingerprint}`)
}

/** @param number E.164 with the plus */
export function accountToCalleeSubject(services: Pick<Services, 'keys'>, id: string, number: string): string {
  return hashed(services, `account ${id} callee ${number}`)
}

/** @param number E.164 with the plus */
export function calleeSubject(services: Pick<Services, 'keys'>, number: string): string {
  return hashed(services, `callee ${number}`)
}
