/** `docs/operating/twilio.md` says where to enter these. */
export const webhookPaths = {
  voice: '/api/webhooks/twilio/voice',
  status: '/api/webhooks/twilio/status',
} as const
