import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('csv-download', {
  preparing: 'Preparing…',
  preparingFile: 'Preparing the file',
  ready: 'The file {name} is ready',
})
