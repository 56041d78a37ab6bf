import { createHash } from 'node:crypto'
import nodemailer, { type SMTPPoolOptions } from 'nodemailer'
import { company } from '#lib/company.ts'
import { isThisMachine } from '../process/this-machine.ts'
import { AddressRefused, type Delivery, type Mailer, replyTimeoutMs } from './port.ts'

export interface SmtpSettings {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the start. */
  readonly url: string
  readonly from: string
}

/** Max concurrent e-mails: each holds a connection until its reply has come. */
const maxConnections = 5

export interface SmtpMailer extends Mailer {
  free(): number
  /** Checks that the server lets us in, without sending anything. @throws MailNotTaken */
  verify(): Promise<void>
  close(): void
}

/** The mail server was not reached or did not accept the e-mail. A retry may help. */
export class MailNotTaken extends Error {
  /** What went wrong, such as `EAUTH 535`. Never the server's text, which may hold an address. */
  readonly code: string
  constructor(code: string) {
    super(`the mail server did not take it (${code})`)
    this.name = 'MailNotTaken'
    this.code = code
  }
}

const connectTimeouts = { connectionTimeout: 5000, dnsTimeout: 5000, greetingTimeout: 5000 }
/** Max silence until the end of an e-mail; the caller limits the whole delivery. */
const commandTimeoutMs = 8000

/**
 * TLS is required, except for a server on this machine.
 * @param authorities certificates to trust besides those of the system
 * @param replyTimeout milliseconds to wait for the reply to a whole e-mail
 */
export function createSmtpMailer(
  settings: SmtpSettings,
  authorities?: readonly string[],
  replyTimeout: number = replyTimeoutMs,
): SmtpMailer {
  const options = { ...optionsOf(settings.url, authorities), ...connectTimeouts }
  const transport = nodemailer.createTransport({
    ...options,
    socketTimeout: replyTimeout,
    idleTimeout: commandTimeoutMs,
  })
  const deliveries = new Map<string, () => void>()
  transport.use('stream', ({ data, message }, done) => {
    const handedOver = deliveries.get(String(data.messageId))
    if (handedOver !== undefined) {
      message.processFunc(content => {
        content.once('end', handedOver)
        return content
      })
    }
    done()
  })
  let underWay = 0
  const domain = settings.from.slice(settings.from.lastIndexOf('@') + 1)
  return {
    send: async (mail, { signal, onHandedOver }: Delivery = {}) => {
      const messageId = messageIdOf(mail.key, domain)
      let handedOver = false
      underWay += 1
      deliveries.set(messageId, () => {
        handedOver = true
        onHandedOver?.()
      })
      try {
        await transport.sendMail({
          from: { name: company.name, address: settings.from },
          to: { name: '', address: mail.to },
          ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
          messageId,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          // Prevents automatic replies (RFC 3834).
          headers: { 'auto-submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
          ...(signal === undefined ? {} : { signal }),
        })
      } catch (error) {
        if (!(handedOver && isSilence(error))) throw explain(error)
      } finally {
        deliveries.delete(messageId)
        underWay -= 1
      }
    },
    free: () => Math.max(0, maxConnections - underWay),
    verify: async () => {
      const once = nodemailer.createTransport({ ...options, socketTimeout: commandTimeoutMs })
      try {
        await once.verify()
      } catch (error) {
        throw explain(error)
      } finally {
        once.close()
      }
    },
    close: () => transport.close(),
  }
}

/** The same for each attempt, so that mail servers and mailboxes recognise a copy. */
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
    maxConnections,
    // The job queue retries; a retry in here too could send it twice.
    maxRequeues: 0,
    // Close at once when cut off.
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

interface Rejection {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
  readonly rejectedErrors?: readonly Rejection[]
}

/** No reply in time, or we stopped waiting. A broken connection, or a reply, is a failure. */
function isSilence(error: unknown): boolean {
  const { code, responseCode } = error as Rejection
  return responseCode === undefined && (code === 'ETIMEDOUT' || code === 'EABORT')
}

function explain(error: unknown): Error {
  const rejection = error as Rejection
  const { command, responseCode, response } = rejection.rejectedErrors?.[0] ?? rejection
  if (command === 'RCPT TO' && responseCode !== undefined && isForTheAddress(responseCode, response)) {
    return new AddressRefused(String(responseCode))
  }
  const parts = [rejection.code ?? 'unknown', responseCode].filter(part => part !== undefined)
  return new MailNotTaken(parts.join(' '))
}

/** Permanent errors of the mailbox: 5xx (RFC 3463: 5.1 and 5.2.1). A full mailbox, or an unknown relay, may recover. */
function isForTheAddress(responseCode: number, response = ''): boolean {
  if (responseCode < 500) return false
  const detail = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  return detail === undefined
    ? responseCode === 550 || responseCode === 553
    : /^5\.(1\.\d+|2\.1)$/.test(detail)
}
