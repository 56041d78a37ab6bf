import { messages } from '#lib/i18n/messages.ts'

export const qualityTexts = messages('call-quality', {
  good: 'Good connection',
  weak: 'Weak connection',
  poor: 'Poor connection',
  silence: 'No sound arrives',
  loss: 'Words get lost. Move nearer the router.',
  sent_loss: 'They hear gaps. Move nearer the router.',
  jitter: 'Choppy sound. Pause other downloads.',
  round_trip: 'Long delay. Let each other finish.',
  microphoneSilent: 'They may not hear you. Check your mic.',
})
