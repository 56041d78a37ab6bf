import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('heard-about', {
  title: 'How did you hear about us?',
  description: 'One question after your first call. You can skip it.',
  text: 'One tap. It helps a small company find people like you.',
  source: 'Source',
  missing: 'Choose one, or skip.',
  where: 'Where? (optional)',
  submit: 'Continue',
  saving: 'Saving…',
  skip: 'Skip',
})

/** In the order of the choices. */
export const sources = messages('heard-about-sources', {
  friend: 'A friend or relative',
  search: 'Search engine',
  social: 'Social media',
  video: 'A video',
  article: 'An article or blog',
  assistant: 'An AI assistant',
  other: 'Somewhere else',
})
