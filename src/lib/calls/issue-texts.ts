import { messages } from '../i18n/messages.ts'

/** What can go wrong in a call (SPEC-3.16). */
export const issueTexts = messages('issues', {
  delay: 'Audio delay',
  choppy: 'Choppy audio',
  dropped: 'Dropped call',
  echo: 'Echo',
  noisy: 'Noisy call',
  oneWay: 'One-way audio',
})

export const commentTexts = messages('comments', {
  tooLong: 'Use at most {max} characters.',
})
