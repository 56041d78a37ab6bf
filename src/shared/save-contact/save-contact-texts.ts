import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('save-contact', {
  title: 'Save Contact',
  save: 'Save contact',
  saving: 'Saving…',
  extension: 'Then <keys>{extension}</keys> after the answer',
  name: 'Contact Name',
  nameless: 'Enter a name for this contact.',
})
