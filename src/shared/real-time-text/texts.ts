import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('real-time-text', {
  open: 'Type',
  conversation: 'Text with {name}',
  field: 'Type to {name}',
  asTyped: 'They see each letter as you type. We keep nothing.',
  you: 'You',
  typing: "They're typing to you.",
  read: 'Read',
  close: 'Close text',
  full: "You've reached the limit for one call. You can still read what they type.",
  afterCall: 'Text from this call',
  leaving: 'We keep none of this. Copy what you need before you close it.',
  copy: 'Copy text',
  copied: 'Copied.',
  notCopied: "Couldn't copy. Select the text instead.",
})
