/**
 * Messages for errors and other conditions (SPEC-4.7 to SPEC-4.22, SPEC-5.2 to SPEC-5.13, SPEC-8.1 to SPEC-8.23). Those
 * about a call's end are in `calls/end-reasons.ts`, those about a payment in `money/payment-texts.ts`. Null: shown in
 * another way, described at the name.
 */
export const texts = {
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
