import { messages } from '#lib/i18n/messages.ts'

/** Of the receipts of calls and of payments. */
export const texts = messages('receipt', {
  noSuchReceipt: 'No such receipt',
  tryAgain: 'Try again',
  print: 'Print',
  loading: 'Loading the receipt…',
  vatNumber: 'VAT number {number}',
  item: 'Item',
  price: 'Price',
  total: 'Total',
  ask: 'Something wrong with this {about, select, payment {payment} other {call}}? <write>Write to us</write>.',
})
