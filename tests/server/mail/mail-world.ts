import type { FailedJob, JobTools } from '#server/jobs/run.ts'
import type { Mail } from '#server/mail/port.ts'
import { createSmtpMailer, type SmtpMailer } from '#server/mail/smtp.ts'
import { type SmtpServer, type SmtpServerOptions, startSmtpServer } from '#support/smtp-server.ts'
import { createWeb, type Web } from '#support/web.ts'

export const mail: Mail = {
  key: 'receipt:17',
  to: 'anna@example.com',
  replyTo: 'support@farline.example',
  subject: 'Your receipt, €25',
  text: 'Thank you.\n.\nThat dot stands alone.',
  html: '<p>Thank you, Zoë.</p>',
}
export const from = 'post@farline.example'

/** Starts mail servers, and what sends to them; `close` ends all of it. */
export function createMailWorld() {
  const ends: (() => unknown)[] = []

  async function start(options?: SmtpServerOptions): Promise<SmtpServer> {
    const server = await startSmtpServer(options)
    ends.push(() => server.close())
    return server
  }

  function mailerFor(url: string, authorities?: readonly string[], replyTimeout?: number): SmtpMailer {
    const mailer = createSmtpMailer({ url, from }, authorities, replyTimeout)
    ends.push(() => mailer.close())
    return mailer
  }

  async function startWeb(): Promise<Web> {
    const web = await createWeb()
    ends.push(() => web.close())
    return web
  }

  function toolsFor(
    { db, clock }: Web,
    server: SmtpServer,
    replyTimeout?: number,
  ): JobTools & { failed: FailedJob[] } {
    const mailer = mailerFor(`smtp://127.0.0.1:${server.port}`, undefined, replyTimeout)
    const failed: FailedJob[] = []
    return { db, clock, mailer, failed, onFailure: job => failed.push(job) }
  }

  async function close(): Promise<void> {
    for (const end of ends.splice(0).reverse()) await end()
  }

  return { start, mailerFor, startWeb, toolsFor, close }
}
