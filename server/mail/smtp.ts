import { createHash } from 'node:crypto'
import nodemailer, { type SMTPPoolOptions } from 'nodemailer'
import { company } from '#lib/company.ts'
import { isThisMachine } from '../this-machine.ts'
import { AddressRefused, type Mailer } from './port.ts'

/** A mail server, and whom it knows us as. */
export interface SmtpSettings {
  /** `smtp://user:password@host:587`, or `smtps://…` where the line is TLS from its beginning. */
  readonly url: string
  /** The address that mails come from. */
  readonly from: string
}

/** A mail server that can be used, and left. */
export interface SmtpMailer extends Mailer {
  /** Whether it lets us in, without sending anything. @throws MailNotTaken */
  verify(): Promise<void>
  close(): void
}

/** The mail server was not reached or did not take it. Later it may. */
export class MailNotTaken extends Error {
  /** What went wrong, such as `EAUTH 535`. Never the server's words: they may hold an address. */
  readonly code: string
  constructor(code: string) {
    super(`the mail server did not take it (${code})`)
    this.name = 'MailNotTaken'
    this.code = code
  }
}

/** In milliseconds: one connection, one greeting, one silence. Together below the 20 s that a job has. */
const patience = { connectionTimeout: 5000, dnsTimeout: 5000, greetingTimeout: 5000, socketTimeout: 8000 }

/**
 * Mails through a mail server, over a few connections that are kept. TLS is a must, but for a server on this very machine.
 * @param authorities certificates to trust besides those of the system, for a server of one's own
 */
export function createSmtpMailer(settings: SmtpSettings, authorities?: readonly string[]): SmtpMailer {
  const transport = nodemailer.createTransport({ ...optionsOf(settings.url, authorities), ...patience })
  const domain = settings.from.slice(settings.from.lastIndexOf('@') + 1)
  return {
    send: async (mail, signal) => {
      try {
        await transport.sendMail({
          from: { name: company.name, address: settings.from },
          to: { name: '', address: mail.to },
          ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
          messageId: messageIdOf(mail.key, domain),
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          // Nobody's "I am on holiday" comes back for it (RFC 3834).
          headers: { 'auto-submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
          ...(signal === undefined ? {} : { signal }),
        })
      } catch (error) {
        throw explain(error)
      }
    },
    verify: async () => {
      try {
        await transport.verify()
      } catch (error) {
        throw explain(error)
      }
    },
    close: () => transport.close(),
  }
}

/** The same for each attempt at a mail: by it mail servers and mailboxes know a copy. */
function messageIdOf(key: string, domain: string): string {
  return `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`
}

function optionsOf(address: string, authorities?: readonly string[]): SMTPPoolOptions & { pool: true } {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = url.protocol === 'smtps:'
  const here = isThisMachine(host)
  return {
    pool: true,
    maxConnections: 5,
    // The queue tries again: one that is tried again in here might go out twice.
    maxRequeues: 0,
    // What is cut off is cut off at once.
    socketCloseTimeout: 0,
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !here,
    ignoreTLS: !secure && here,
    tls: { minVersion: 'TLSv1.2', ...(authorities === undefined ? {} : { ca: [...authorities] }) },
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
  }
}

interface Refusal {
  readonly code?: string
  readonly command?: string
  /** The first digits of the server's answer. */
  readonly responseCode?: number
  readonly response?: string
  readonly rejectedErrors?: readonly Refusal[]
}

function explain(error: unknown): Error {
  const refusal = error as Refusal
  const { command, responseCode, response } = refusal.rejectedErrors?.[0] ?? refusal
  if (command === 'RCPT TO' && responseCode !== undefined && isForTheAddress(responseCode, response)) {
    return new AddressRefused(String(responseCode))
  }
  const parts = [refusal.code ?? 'unknown', responseCode].filter(part => part !== undefined)
  return new MailNotTaken(parts.join(' '))
}

/** 5xx for the mailbox (RFC 3463: 5.1 and 5.2.1). One that is full, and a relay that does not know us, may mend. */
function isForTheAddress(responseCode: number, response = ''): boolean {
  if (responseCode < 500) return false
  const detail = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  return detail === undefined
    ? responseCode === 550 || responseCode === 553
    : /^5\.(1\.\d+|2\.1)$/.test(detail)
}
