import { messages } from './i18n/messages.ts'

export const supportTopics = messages('support-topics', {
  call: 'A call',
  payment: 'A payment or refund',
  own_number: 'Verifying my number',
  restricted: 'My account is restricted',
  referral: 'A referral link',
  other: 'Something else',
})

export const texts = messages('support-rules', {
  nameTooLong: 'Use at most {limit} characters.',
  noName: 'Tell us your name.',
  noTopic: "Choose what it's about.",
  noMessage: 'Write your message.',
  messageTooLong: "That's too long for one message. Use at most {limit} characters.",
})
