import twilio from 'twilio'

const { VoiceResponse } = twilio.twiml

const ringSeconds = 60

export interface DialPlan {
  /** E.164. */
  readonly to: string
  readonly from: string
  readonly limitMs: number
  readonly statusUrl: string
  readonly overUrl: string
}

/** Rings a number with audible ringback, and connects both sides for at most the limit. */
export function dialTwiml({ to, from, limitMs, statusUrl, overUrl }: DialPlan): string {
  const response = new VoiceResponse()
  const dial = response.dial({
    answerOnBridge: true,
    callerId: from,
    // Rounded down: never more than the balance covers.
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

/** How long a connection check is held, in seconds; longer than the check takes. */
const lineCheckSeconds = 15

/** Silence for a limited time; a key ends it at `overUrl`. `<Echo>` has no limit; a first `<Pause>` never answers. */
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
