import { messages } from '../i18n/messages.ts'

/** What became of a payment: the dialler needs it only after a checkout. */
export const paymentTexts = messages('payment', {
  added: 'Credits added successfully!',
  waiting: 'Waiting for your payment to be confirmed. Your credits will appear here.',
  stillWaiting: "Your payment isn't confirmed yet. Check again later, or contact support.",
  failed: "The payment didn't go through. No credits were added.",
  expired: 'The checkout ended without a payment. Nothing was charged.',
  held: "{amount} of your payment will arrive after a short review. We'll e-mail you.",
  signedOut: 'Log in to see whether your credits have arrived.',
})
