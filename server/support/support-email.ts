import type { RequestOutput } from '#lib/api/endpoint.ts'
import type { support } from '#lib/api/support.ts'
import { sourceLanguage } from '#lib/i18n/language.ts'
import { textsIn } from '#lib/i18n/messages.ts'
import { supportTopics } from '#lib/support-texts.ts'
import type { EmailTemplate } from '../mail/layout.ts'

export function supportEmail(
  reference: string,
  { name, email, about, message }: RequestOutput<typeof support>['body'],
): EmailTemplate {
  const topic = textsIn(supportTopics, sourceLanguage)[about]
  return {
    subject: `${reference}: ${topic}, from ${name}`,
    preview: [...message].slice(0, 100).join(''), // by characters: half an emoji is invalid text
    heading: topic,
    paragraphs: message.split(/\n{2,}/),
    footnote: `${reference}, written on the support page by ${name}, ${email}. Reply to this e-mail to answer them. Nobody has checked that the address is theirs.`,
  }
}
