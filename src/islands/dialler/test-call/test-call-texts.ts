import { messages } from '#lib/i18n/messages.ts'

export const testCallTexts = messages('test-call', {
  callNumber: 'Call {number} to see what shows',
  whatShows: 'Call my number to see what shows',
  title: 'Call my number',
  calling: 'Calling…',
  checking: 'Checking…',
  tryAgain: 'Try again',
  notNow: 'Not now',
  close: 'Close',
  showsPublic: 'It will ring and show our public number, as your calls do now.',
  shows: 'It rings and shows what your calls do now: <number>{shown}</number>.',
  callsItself: 'If a number calls itself, some networks send it to voicemail.',
  free: 'Free once a week, for up to a minute, to numbers up to {rate} a minute.',
  used: "You've used this week's test call. The next one is free from {when}.",
})

/** Why it was not placed. */
export const notPlacedTexts = messages('test-call-faults', {
  not_loaded: "Something didn't load. Try again.",
  in_call: "You're already in a call. Hang up first, then try again.",
})
