import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('real-time-text', {
  open: 'Type',
  conversation: 'Text with {name}',
  field: 'Type to {name}',
  asTyped: 'They see each letter as you type. Nothing is kept.',
  you: 'You',
  typing: "They're typing to you.",
  read: 'Read',
  close: 'Close text',
  full: "That's all the text one call can hold.",
  afterCall: 'Text from this call',
  leaving: 'We keep none of this. It goes when you leave.',
  copy: 'Copy text',
  copied: 'Copied.',
  notCopied: "Couldn't copy. Select the text instead.",
})
