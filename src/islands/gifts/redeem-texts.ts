import { messages } from '#lib/i18n/messages.ts'

export const redeemTexts = messages('redeem', {
  title: 'Redeem a booklet',
  description: 'Enter the code from the envelope somebody sent you to add its credits to your balance.',
  sentYou: '<who>{name}</who> sent you a line',
  somebodySentYou: 'Somebody sent you a line',
  inBalance: '{amount} is in your balance',
  opening: 'Opening…',
  you: 'You',
  visitor:
    "We've kept your code. Sign up with your e-mail address, or log in, to see who sent it and redeem the credits. It takes two minutes and no card.",
  signUp: 'Sign up',
  logIn: 'Log in',
  thank: 'Your balance is {balance}. Credits never expire. Ring <who>{name}</who> to say thank you?',
  thankSomebody: 'Your balance is {balance}. Credits never expire. Ring whoever sent them to say thank you?',
  call: 'Make a call',
  yours: "{amount} of credits to call any phone, abroad or at home. They're yours for good.",
  sendAgain: 'Send the link again',
  redeeming: 'Redeeming…',
  redeem: 'Redeem {amount}',
  otherCode: 'Enter another code',
  enter: "Did somebody send you an envelope? Enter its code. Capitals, spaces and dashes don't matter.",
  code: 'Your code',
  codeHint: 'Five groups of four',
  open: 'Open the envelope',
  noCode: 'A code has 20 letters and digits, in five groups. Check it letter by letter.',
})
