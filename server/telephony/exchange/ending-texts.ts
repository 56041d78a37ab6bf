import { messages } from '#lib/i18n/messages.ts'

export const endings = messages('exchange-endings', {
  connectionLost: 'The connection was lost, so the call was ended.',
  serverStopping: 'Our server is restarting, so the call was ended.',
  lineCheck: "This line can't be checked right now.",
})
