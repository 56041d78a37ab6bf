import { messages } from '#lib/i18n/messages.ts'

/** Asked at the press of Logout. */
export const leaveTexts = messages('leave', {
  inCall: "You're in a call. Hang up and log out?",
})
