import twilio from 'twilio'

const { VoiceResponse } = twilio.twiml

/** How long a telephone may ring, in seconds. */
const ringSeconds = 60

export interface DialPlan {
  /** E.164 with the plus. */
  readonly to: string
  /** E.164 with the plus: a verified number, or our public one. */
  readonly from: string
  /** Hard limit counted from the answer. */
  readonly limitMs: number
  /** Where the progress of the telephone's leg is told. */
  readonly statusUrl: string
  /** Where the end of it is told once more, and asked what comes then. */
  readonly overUrl: string
}

/** Rings a number, lets the caller hear how it rings, and connects both for at most the limit. */
export function dialTwiml({ to, from, limitMs, statusUrl, overUrl }: DialPlan): string {
  const response = new VoiceResponse()
  const dial = response.dial({
    answerOnBridge: true,
    callerId: from,
    // Never more than the balance covers.
    timeLimit: Math.floor(limitMs / 1000),
    timeout: ringSeconds,
    action: overUrl,
    method: 'POST',
  })
  dial.number(
    {
      statusCallback: statusUrl,
      statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
      statusCallbackMethod: 'POST',
    },
    to,
  )
  return response.toString()
}

/** How long a browser that tries its line is kept on it, in seconds: longer than its check takes. */
const lineCheckSeconds = 15

/**
 * Answers a browser that tries its line with silence, for a while and no longer. `<Echo>` would go on for as long as the
 * browser likes, and `<Pause>` as the first verb does not answer; a key ends it at `overUrl`.
 */
export function lineCheckTwiml(overUrl: string): string {
  const response = new VoiceResponse()
  response.gather({
    input: ['dtmf'],
    numDigits: 1,
    timeout: lineCheckSeconds,
    action: overUrl,
    method: 'POST',
  })
  response.hangup()
  return response.toString()
}

/** Turns a caller away before anything rings, at no cost. */
export function rejectTwiml(): string {
  const response = new VoiceResponse()
  response.reject()
  return response.toString()
}

export function hangUpTwiml(): string {
  const response = new VoiceResponse()
  response.hangup()
  return response.toString()
}
