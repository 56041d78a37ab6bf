import { company } from './company.ts'

/**
 * The one table of messages for errors and other conditions (SPEC-4.7 to SPEC-4.22, SPEC-5.2 to SPEC-5.13, SPEC-8.1 to
 * SPEC-8.24). PD-29 maps the voice client's codes to these names. Where the specification has no text, ours fits two
 * lines of a small screen. Null: shown in another way, described at the name.
 */
export const texts = {
  calls: {
    // Normal ends. call-summary.ts adds the cost from the call's record.
    caller_hung_up: 'You hung up.',
    callee_hung_up: 'They hung up.',
    cancelled: 'You cancelled the call. Nothing was charged.',
    no_answer: 'Nobody answered. Nothing was charged.',
    busy: 'The line is busy. Nothing was charged.',
    declined: 'The call was declined. Nothing was charged.',
    unavailable: 'The phone cannot be reached right now. Nothing was charged.',

    // Rejected with the token, before anything rings.
    call_blocked: 'Your account has been restricted from making calls. Contact support for help.',
    email_unverified: 'Please verify your email before making calls.',
    no_credits: 'You do not have enough credits to make this call.',
    token_failed: 'Something went wrong. Please try again.',

    browser_unsupported: "This browser can't make calls. Use Chrome, Edge, Firefox or Safari.",
    page_insecure: 'Calls only work on a secure page. Open this address with https://.',

    microphone_denied: 'The microphone is blocked. Allow it for this site, then call again.',
    microphone_missing: 'No microphone found. Connect or switch one on, then call again.',
    microphone_busy: 'Another app uses the microphone. Close it, then call.',

    unrecognised_number: 'Unrecognised number. Please check the number and try again.',
    start_no_credits: "You don't have enough credits to make this call",
    start_refused: 'Make sure your email is verified and you got enough credits',
    too_many_calls: 'Too many calls. Wait a little, then call again.',
    already_active: 'A Call is already active',
    client_destroyed: 'Device has been destroyed.',
    client_disconnected: 'Cannot establish connection. Client is disconnected',
    authentication_failed: 'We could not confirm who you are. Log in again, then call.',
    token_invalid: 'Your permission to call was not accepted. Please try again.',
    token_expired: 'Your permission to call ran out. Please try again.',
    media_failed: 'No sound got through. Check your network, then call again.',
    connection_interrupted: 'Connection interrupted. Check your network, then call again.',
    connection_lost: 'Connection to the service lost. Checking what was charged.',
    /** The service stopped, or came back without the call. */
    service_restarted: 'The call was cut off. Checking what was charged.',
    failed: 'The call could not be connected. Nothing was charged.',
  },

  numbers: {
    emergency: `${company.name} does not support calling emergency services. Please use another phone.`,
    unsupported: 'This destination is currently not supported.',
    unrecognised: 'Unrecognised number. Please check the number and try again.',
    too_short: 'This number is too short. Check it and try again.',
    risky: 'Caution: This number may be blocked or fail to connect.',
  },

  dialler: {
    visitor: 'Sign up to start calling',
    low_credits: 'Low credits! Call will end soon.',
    /** As `low_credits`, after auto top-up has failed. The reason is shown between calls and sent by e-mail. */
    low_credits_not_topped_up: 'Low credits! Call will end soon. Not topped up.',
    credits_failed: 'Error when fetching credits.',
    credits_retry: 'Try again now',
    socket_trouble: 'Connection issue - some features may not work',
  },

  contacts: {
    saved: 'Contact saved!',
    /** Shows the server's message. */
    refused: null,
    save_failed: 'Could not save contact.',
    save_unanswered: 'Something went wrong.',
    deleted: 'Contact deleted',
    delete_failed: 'Failed to delete contact',
    favourite_failed: 'Could not change your favourites.',
  },

  callerIds: {
    invalid_number: 'Enter a valid phone number with country code. Example: +447123456789',
    request_failed: 'Could not start verification.',
    started: 'We will call you shortly. Enter the code when asked.',
    verified: 'Number successfully verified!',
  },

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

  payments: {
    added: 'Credits added successfully!',
    waiting: 'Waiting for your payment to be confirmed. Your credits then appear here.',
    still_waiting: 'Your payment is not confirmed yet. Look again later, or contact support.',
    failed: 'The payment did not go through. No credits were added.',
    expired: 'The checkout ended without a payment. Nothing was charged.',
    signed_out: 'Log in to see whether your credits have arrived.',
  },

  /** No message; each comment says what happens instead. */
  silent: {
    /** Logged; the fallback rate is shown. */
    rate_failed: null,
    /** Logged; the user counts as not loaded. */
    profile_failed: null,
    refresh_failed: null,
    /** Logged; the thank-you shows all the same. */
    feedback_failed: null,
    /** The emoji shows instead. */
    flag_failed: null,
    /** Logged; the page is reloaded, once. */
    piece_failed: null,
  },
} as const
