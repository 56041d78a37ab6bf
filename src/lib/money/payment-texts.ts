/** What became of a payment. Apart from `texts.ts`, because the dialler needs it only after a checkout. */
export const paymentTexts = {
  added: 'Credits added successfully!',
  waiting: 'Waiting for your payment to be confirmed. Your credits will appear here.',
  still_waiting: "Your payment isn't confirmed yet. Check again later, or contact support.",
  failed: "The payment didn't go through. No credits were added.",
  expired: 'The checkout ended without a payment. Nothing was charged.',
  /** @param usd formatted */
  held: (usd: string) => `${usd} of your payment will arrive after a short review. We'll e-mail you.`,
  signed_out: 'Log in to see whether your credits have arrived.',
} as const
