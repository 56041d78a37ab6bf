import { messages } from '#lib/i18n/messages.ts'

/** Apart from the button's: the card loads when it is pressed. */
export const cardTexts = messages('share-card', {
  failed: "We couldn't draw the card. Close this and try again.",
  drawing: 'Drawing the card…',
  copied: 'Copied.',
  copyFailed: "Your browser doesn't let us copy. Select the text above.",
  copy: 'Copy text',
  save: 'Save picture',
  share: 'Share',
  text: 'Text to share',
  privacy: 'The number and the name stay with you: only the country and the minutes show.',
  /** Beside the number of minutes, which is larger. */
  minutes: '{minutes, plural, one {minute} other {minutes}}',
  minutesShort: 'min',
  lessThanStamp: 'Less than a stamp',
  firstIsFree: 'Your first call is free.',
  cheapFirstIsFree: 'From your browser. Your first call is free.',
})
