import { messages } from '#lib/i18n/messages.ts'

export const mailLimits = messages('mail-limits', {
  everyone: "We've sent all the e-mails we can send in a day.",
  account: "We've already sent several e-mails.",
  askedBefore: 'Somebody asked for an e-mail to this address a short while ago.',
  address: "We've sent several e-mails to this address.",
  here: 'Too many e-mails were requested from here.',
})
