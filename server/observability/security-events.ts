import { createHmac } from 'node:crypto'
import type { Services } from '../context.ts'
import { networkOf } from '../limits/origin.ts'
import type { SecurityEvent } from './port.ts'

export interface EventSubjects {
  /** The account's e-mail address, or the one typed if there is no account. */
  readonly email?: string | undefined
  /** IP address as reported by our trusted proxies. */
  readonly address?: string | undefined
}

export type EventTools = Pick<Services, 'keys' | 'log' | 'observe'>

/** Logs keyed hashes, which name nobody (`docs/operating/observability.md`). Call after the commit. */
export function reportSecurityEvent(
  tools: EventTools,
  event: SecurityEvent,
  { email, address }: EventSubjects,
  details: Readonly<Record<string, string>> = {},
): void {
  const subjects = {
    ...(email !== undefined && { account: eventSubject(tools, 'account', email.trim().toLowerCase()) }),
    ...(address !== undefined && { network: eventSubject(tools, 'network', networkOf(address)) }),
  }
  tools.log.warn({ securityEvent: event, ...subjects, ...details }, 'a security event')
  tools.observe?.({ kind: 'security_event', event })
}

/** The name of an account (e-mail address in lower case) or network in events: 96 bits of a keyed hash. */
export function eventSubject(
  { keys }: Pick<Services, 'keys'>,
  kind: 'account' | 'network',
  subject: string,
): string {
  return createHmac('sha256', keys.security).update(`${kind} ${subject}`).digest('base64url').slice(0, 16)
}
