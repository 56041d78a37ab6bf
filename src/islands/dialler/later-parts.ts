/** What the dialler does besides calling; one chunk, loaded once the phone is usable. */

export { followContacts } from '#shared/contacts.ts'
export { followInCall } from './call/in-call.ts'
export { followLeftCall } from './call/left-call.ts'
export { followCalls } from './call-ended/after-call.ts'
export { feedback } from './feedback/feedback.ts'
export { followCaution } from './number/follow-caution.ts'
export { followOwnLimit } from './number/own-limit.ts'
export { followPayment } from './payment-return.ts'
export { subscribeToServerEvents } from './server-events.ts'
export { followTestLink } from './test-call/test-call.ts'
export { wizard } from './tutorial/wizard.ts'
