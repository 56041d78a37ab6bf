/**
 * Messages for errors and other conditions (SPEC-4.7 to SPEC-4.22, SPEC-5.2 to SPEC-5.13, SPEC-8.1 to SPEC-8.23). Those
 * about a call's end are in `calls/end-reasons.ts`, those about a payment in `money/payment-texts.ts`. Null: shown in
 * another way, described at the name.
 */
export const texts = {
  checkout: {
    visitor: 'Sign up to buy credits',
    no_amount: 'Please select or enter a valid amount (minimum $5)',
    no_url: 'Could not create checkout session',
    failed: 'An error occurred. Please try again.',
    too_little: 'Minimum custom amount is $5',
    too_much: 'Maximum custom amount is $4000',
    not_whole: 'Whole dollars only, without cents',
    cancelled: 'Checkout cancelled. Nothing was charged.',
  },

  autoTopUp: {
    disabled: 'Auto top-up disabled.',
    enabled: 'Auto top-up enabled.',
    /** Set only in the page until the checkout sends it. */
    needs_card: 'Make a credit purchase to save your card for auto top-up',
  },

  /** No message; each comment says what happens instead. */
  silent: {
    /** Logged; the fallback rate is shown. */
    rate_failed: null,
    /** Logged; the user counts as not loaded. */
    profile_failed: null,
    refresh_failed: null,
    /** The server's message is shown. */
    contact_refused: null,
    /** Logged; the thank-you shows all the same. */
    feedback_failed: null,
    /** The emoji shows instead. */
    flag_failed: null,
    /** Logged; the page is reloaded, once. */
    piece_failed: null,
  },
} as const
