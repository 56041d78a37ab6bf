import { messages } from '#lib/i18n/messages.ts'

export const captionTexts = messages('captions', {
  open: 'Captions',
  pane: 'Captions of {name}',
  close: 'Hide captions',
  language: 'Spoken language',
  downloading: 'Downloading captions for {language}. This happens once.',
  notDownloaded: "Captions for {language} couldn't be downloaded.",
  stopped: 'Captions stopped: this browser no longer recognises what is said. The call goes on.',
  again: 'Try again',
  listening: 'Listening.',
  privacy: 'Captions are made on this device and sent nowhere. They can be wrong.',
})
