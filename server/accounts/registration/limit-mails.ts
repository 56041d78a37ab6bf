import type { Services } from '../../context.ts'
import { tooManyRequests } from '../../http/failure.ts'
import { type MailRequest, mailSpentText, reserveMail } from './mail-budget.ts'

/** The answer is the same for every address. @throws RequestFailure 429 when the e-mail budget is exhausted */
export async function limitMails(services: Services, mail: MailRequest): Promise<void> {
  const spent = await reserveMail(services, mail)
  if (spent !== undefined) throw tooManyRequests(spent.waitMs, mailSpentText(spent, mail.kind))
}
