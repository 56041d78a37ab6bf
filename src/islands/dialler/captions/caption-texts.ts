import { messages } from '#lib/i18n/messages.ts'

export const captionTexts = messages('captions', {
  open: 'Captions',
  pane: 'Captions of {name}',
  close: 'Hide captions',
  language: 'Spoken language',
  downloading: 'Downloading {language} for captions. This happens once.',
  notDownloaded: "Captions for {language} couldn't be downloaded.",
  stopped: "Captions stopped. This browser can't recognise the speech any more. Your call goes on.",
  again: 'Try again',
  listening: 'Listening.',
  privacy: 'Your device makes the captions and sends nothing. They can be wrong.',
})
