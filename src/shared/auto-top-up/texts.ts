import { messages } from '#lib/i18n/messages.ts'

export const autoTopUp = messages('auto-top-up', {
  label: 'Auto top-up',
  about: 'About Auto Top-Up',
  disabled: 'Auto top-up disabled.',
  enabled: 'Auto top-up enabled.',
  /** Set only in the page until the checkout sends it. */
  needsCard: 'Make a credit purchase to save your card for auto top-up',
})
