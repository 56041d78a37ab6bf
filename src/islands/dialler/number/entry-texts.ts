import { messages } from '#lib/i18n/messages.ts'

export const entryTexts = messages('number-entry', {
  chooseCountry: 'Choose a country',
  extension: 'Extension',
  extensionHint: 'Played after they answer. Each comma waits 2 seconds.',
  removeExtension: 'Remove the extension',
  type: ', {type}',
  night: ', night',
})
