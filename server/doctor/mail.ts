import { company } from '#lib/company.ts'
import { createSmtpMailer, MailNotTaken, type SmtpSettings } from '../mail/smtp.ts'
import type { Check } from '../process/finding.ts'

/** Checks that the mail server lets us in. Sends nothing. */
export function checkMail(smtp: SmtpSettings): Check {
  return {
    about: 'Mail',
    run: async find => {
      const mailer = createSmtpMailer(smtp)
      const { host } = new URL(smtp.url)
      try {
        await mailer.verify()
        const found = [find.ok(`${host} accepts the login. E-mails come from ${smtp.from}.`)]
        const domain = smtp.from.slice(smtp.from.lastIndexOf('@') + 1)
        if (/(^|\.)(example|invalid|test|localhost)$/.test(domain)) {
          found.push(
            find.warning(
              `${domain} is a reserved name: many servers reject e-mails from it.`,
              `Set MAIL_FROM to an address of yours, and the support address in src/lib/company.ts, now ${company.supportEmail}.`,
            ),
          )
        }
        return found
      } catch (error) {
        if (!(error instanceof MailNotTaken)) throw error
        return [find.problem(`${host} cannot be used (${error.code}).`, mendOf(error.code))]
      } finally {
        mailer.close()
      }
    },
  }
}

function mendOf(code: string): string {
  const [kind] = code.split(' ')
  switch (kind) {
    case 'EAUTH':
    case 'ENOAUTH':
      return 'Correct the user and the password in SMTP_URL, and percent-encode special characters.'
    case 'EDNS':
      return 'The name does not resolve: correct it in SMTP_URL.'
    case 'ETLS':
      return 'It offers no TLS on that port, and only a server on this machine may skip it. Use its TLS port: smtps://host:465, or smtp://host:587 with STARTTLS.'
    case 'ESOCKET':
    case 'ECONNECTION':
    case 'ETIMEDOUT':
      return 'Check the host and the port in SMTP_URL, its certificate, and whether your provider blocks that port (many block 25).'
    default:
      return 'See the log of the mail server.'
  }
}
