import type { Call as VendorCall } from '@twilio/voice-sdk'
import * as z from 'zod/mini'
import { type RealTimeText, realTimeText } from '#lib/calls/real-time-text.ts'

/** The client's word for messages with a content of our own. */
const messageType = 'user-defined-message'

/** Undefined for any other message of a call. */
export function textIn(content: unknown): RealTimeText | undefined {
  const parsed = z.safeParse(realTimeText, content)
  return parsed.success ? parsed.data : undefined
}

export function sendText(call: VendorCall, message: RealTimeText): void {
  // The client throws once the call has closed.
  if (call.status() !== 'closed') call.sendMessage({ content: message, messageType })
}
