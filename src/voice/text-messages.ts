import type { Call as VendorCall } from '@twilio/voice-sdk'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'

/** The client's word for messages with a content of our own. */
const messageType = 'user-defined-message'

export function sendText(call: VendorCall, message: RealTimeText): void {
  // The client throws once the call has closed.
  if (call.status() !== 'closed') call.sendMessage({ content: message, messageType })
}
