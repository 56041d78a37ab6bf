import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('caller-ids', {
  started: 'We will call you shortly. Enter the code when asked.',
  verified: 'Number successfully verified!',
  signUp: 'Sign up to add a caller ID',
  verify: 'Verify Caller ID',
  verifyNumber: 'Verify number',
  callAgain: 'Call again',
  starting: 'Starting…',
  offer: "We'll ring your phone and ask for a code. After that, your calls can show this number. It's free.",
  number: 'Your number, with country code',
  contactSupport: 'Contact support',
  close: 'Close',
  answered: 'Answered. Listen for the prompt, then type the code on that phone.',
  wrongCode: "That wasn't the code. Listen for the prompt, then type this one on that phone.",
  calling: 'Calling <number>{full}</number>…',
  waiting: 'Waiting for the code. This window closes by itself.',
  attempts: '{left, number} of {perDay, number} attempts left today.',
  againNow: 'We can call again.',
  againInMinute: 'We can call again in a minute.',
  againInMinutes: 'We can call again in {minutes, plural, one {# minute} other {# minutes}}.',
  againInHours: 'We can call again in {hours, plural, one {# hour} other {# hours}}.',
  tryInHours: 'You can try again in {hours, plural, one {# hour} other {# hours}}.',
  remove: 'Remove',
  removing: 'Removing…',
  removeCallerId: 'Remove Caller ID',
  removed: 'Caller ID removed',
  removeFailed: 'Failed to remove this caller ID. Please try again.',
  keep: 'Keep it',
  aboutRemoval:
    "Your calls will show our public number instead. To show this one again, you'll have to verify it again.",
})

/** How a verification call ended without the code. */
export const failureTexts = messages('caller-id-failures', {
  no_answer: 'Nobody answered.',
  busy: 'The line was busy.',
  declined: 'The call was declined.',
  failed: "The network didn't put the call through. Check the number.",
  wrong_code: "The code typed on the phone wasn't the one shown here.",
  no_code: 'The call was answered, but no code was typed.',
  hung_up: 'The call ended before the code was typed.',
  timed_out: "We didn't get the code. Check the number, then try again.",
})
