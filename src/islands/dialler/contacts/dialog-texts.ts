import { messages } from '#lib/i18n/messages.ts'

export const dialog = messages('contacts-dialog', {
  title: 'Your Contacts',
  recent: 'Recent',
  all: 'All contacts',
  contacts: '{count, plural, one {# contact} other {# contacts}}',
  import: 'Import',
  export: 'Export',
})
