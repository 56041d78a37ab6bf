/** What the dialler does beside calling, in one piece that comes once the phone can be used. */
export { followCalls } from './after-call.ts'
export { followNews } from './call-news.ts'
export { feedback } from './feedback.ts'
export { followPayment } from './payment-return.ts'
export { wizard } from './wizard.ts'
