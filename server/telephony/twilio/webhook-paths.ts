/** Where the vendor finds us; `docs/operating/twilio.md` says where these are entered. */
export const webhookPaths = {
  voice: '/api/webhooks/twilio/voice',
  status: '/api/webhooks/twilio/status',
} as const
