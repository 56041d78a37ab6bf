import { messages } from '#lib/i18n/messages.ts'

export const support = messages('support', {
  title: 'Support',
  description:
    'Write to {company} in London about a call, a payment, a refund or your account. We answer by e-mail, and common questions are answered on the spot.',
  heading: 'Write to us',
  lede: 'We answer by e-mail from London. You may find your answer here while you write.',
  you: 'You',
  office: '{company} Support',
  town: 'London',
  quicker: 'Quicker answers',
  notConnected: "My call didn't connect",
  busyLine: 'I was charged for a busy line',
  notHeard: "They can't hear me",
  noMail: 'My verification e-mail is missing',
  byEmail: 'Or by e-mail: <mail>{address}</mail>',

  name: 'Your name',
  about: 'About',
  chooseOne: 'Choose one',
  message: 'Message',
  messageHint: 'Never send card numbers or passwords.',
  send: 'Send message',
  sending: 'Sending…',
  sendYourself: 'Your message is still here. You can also <mail>send it from your own e-mail</mail>.',
  copy: 'Your message is still here. You can also copy it into an e-mail to <mail>{address}</mail>.',

  helps: 'Does this help?',
  answersAbove: '{count, plural, one {# answer} other {# answers}} above Send message.',

  sent: 'On its way',
  reply: "We'll reply to <address>{email}</address>. Your reference is <number>{reference}</number>.",
  back: 'Back to the dialler',

  aboutCall: 'About my call {id}:',
  aboutCallOn: 'About my call on {moment} (receipt {id}):',
  aboutPayment: 'About my payment {id}:',
  aboutPaymentOn: 'About my payment on {moment} (receipt {number}):',
  pageSaid: 'The page said: "{text}"',
})

/** For finding the answers that a message asks for. */
export const answerSearch = messages('answer-search', {
  /** Words without meaning for the search. */
  ignored:
    'a about after all also am an and any anything are as at be because been before but by can cannot cant could dear did do does don dont everything farline for from get give go had has have he hello help her hi him his how i if in into is it its just know like make me much my need no not nothing now of on one or our out please same say she should so some someone something still t tell than thank thanks that the their them then there they thing this time to today too tried try trying up us use using very want was we well were what when where which while who whom why will with wont work would yes yesterday you your',
  /** What words of one meaning begin with, such as an article, as alternatives of a regular expression. */
  wordBeginnings: '',
  /** What words of one meaning end in, without accents. */
  wordEndings: 'ing|ed|es|s|e',
})
