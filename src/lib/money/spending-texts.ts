import { messages } from '../i18n/messages.ts'

/** In the dialler's status line, beside amounts and names of any length: keep them short. */
export const limits = messages('spending-limits', {
  callCap: 'Your limit per call is {limit}; a minute is {rate}. Change it in your profile.',
  monthReached: "You've reached your monthly limit. Change it in your profile.",
  monthCap: 'Monthly limit: {left} left; a minute is {rate}. Change it in your profile.',
  monthHeld: 'Your other call may use up your monthly limit. Hang up there first.',
  locked: "You've locked calls to {place}. Unlock it in your profile.",
  thisCountry: 'this country',
})

/** What is wrong with a limit that somebody typed. */
export const capFaults = messages('spending-cap-faults', {
  unreadable: 'Enter dollars and cents, such as 5 or 2.50.',
  tooLittle: 'Use at least {min}, or leave it empty for no limit.',
  tooMuch: 'Use at most {max}, or leave it empty for no limit.',
  notWholeCents: 'Dollars and whole cents only.',
})
