import { messages } from '#lib/i18n/messages.ts'

export const afterCall = messages('after-call', {
  seeHistory: 'Your history will show what was charged.',
  outOfReach: "We can't reach the service. Your history will show what was charged.",
  talked: '{ending} Talked {length}.',
})
