import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('share-call', {
  share: 'Share this call',
  headline: '{place}, {minutes, plural, one {# minute} other {# minutes}}',
  message: '{headline}. I called with {company}. Your first call is free:',
  cheapMessage: '{headline}, less than a stamp. I called with {company}. Your first call is free:',
  card: 'A postcard: {headline}. On its back is {back, select, referral {your referral link} other {our address}}.',
  cheapBack: 'Call home for less\nthan a stamp.',
  back: 'Call home\nfrom your browser.',
})
