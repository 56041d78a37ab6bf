import { messages } from '../i18n/messages.ts'

/** After why the call ended. */
export const talkedTexts = messages('call-talked', {
  charged: 'Talked {length}, charged {charge}.',
  refunded: 'Talked {length}, charged {charge}, refunded.',
  partlyRefunded: 'Talked {length}, charged {charge}, {refund} back.',
  nothing: 'Talked {length}, nothing charged.',
  free: 'Talked {length}, free call.',
  freeTest: 'Talked {length}, free test call.',
})

export const restartTexts = messages('call-restart', {
  charged: 'We restarted during your call. Charged {charge}, refunded {refund}.',
  refunded: 'We restarted during your call. Talked {length}. We refunded {refund}.',
})
