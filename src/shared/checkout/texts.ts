import { messages } from '#lib/i18n/messages.ts'

export const checkout = messages('checkout', {
  amount: 'Amount',
  secure: 'Secure Checkout',
  opening: 'Opening the checkout…',
  visitor: 'Sign up to buy credits',
  noAmount: 'Please select or enter a valid amount (minimum $5)',
  noUrl: 'Could not create checkout session',
  failed: 'An error occurred. Please try again.',
  tooLittle: 'Minimum custom amount is $5',
  tooMuch: 'Maximum custom amount is $4000',
  notWhole: 'Whole dollars only, without cents',
  cancelled: 'Checkout cancelled. Nothing was charged.',
})
