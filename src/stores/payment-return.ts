import { texts } from '#lib/rules/error-texts.ts'
import { showToast } from './toasts.ts'

/**
 * The way back from the checkout, `/call?payment=success`: says so once and removes the parameter. The
 * credits themselves come from the payment's own event; an address typed by hand brings none.
 */
export function greetPayment(): void {
  const address = new URL(window.location.href)
  if (address.searchParams.get('payment') !== 'success') return
  address.searchParams.delete('payment')
  window.history.replaceState(window.history.state, '', address)
  showToast({ type: 'success', message: texts.dialler.payment_success })
}
