import { type PaymentState, payment } from '#lib/api/payments.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { paymentTexts } from '#lib/money/payment-texts.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { anyCaseUuidPattern } from '#lib/uuid.ts'
import { authorised } from '#session/api.ts'
import { $session, start } from '#session/session.ts'
import { showToast } from '#session/toasts.ts'
import { consumeCalleeAfterCheckout } from '#shared/checkout/call-after-checkout.ts'
import { checkout } from '#shared/checkout/texts.ts'
import { refreshBalance } from './call/balance.ts'
import { $notice, dismissNotice, type Notice, notify } from './notice.ts'
import { $isEntered, enterNumber } from './number/dial.ts'

/** Delays between requests in ms, because the payment's event may come late. */
const pausesMs = [500, 1000, 2000, 3000, 5000, 8000, 13_000, 20_000, 30_000, 30_000, 60_000, 60_000, 60_000]

/**
 * After a checkout: fills in whom to call next, and on `/call?payment=success&order=<id>` polls the server. A handmade
 * address adds no credits and shows nothing.
 */
export async function followPayment(): Promise<void> {
  enterCallee()
  const ended = readCheckout()
  if (ended === 'cancelled') showToast({ type: 'info', message: checkout.cancelled })
  if (ended === null || ended === 'cancelled') return
  const { order } = ended
  await start()
  if ($session.get().status !== 'signed_in') return notify({ tone: 'info', text: paymentTexts.signedOut })
  let waiting: Notice | null = null
  for (const pauseMs of [0, ...pausesMs]) {
    await new Promise(resolve => setTimeout(resolve, pauseMs))
    const result = await authorised(payment, { params: { id: order } }, { skipLogoutOnFail: true })
    if (result.ok && result.value.state !== 'waiting') return showPaymentState(result.value, waiting)
    if (!result.ok && [400, 401, 403, 404].includes(result.status)) return withdrawNotice(waiting)
    waiting ??= notifyOfPayment({ tone: 'info', text: paymentTexts.waiting })
  }
  withdrawNotice(waiting)
  notifyOfPayment({ tone: 'warn', text: paymentTexts.stillWaiting })
}

/** Does not replace what the user has typed meanwhile. */
function enterCallee(): void {
  const callee = consumeCalleeAfterCheckout(Date.now())
  if (callee === null || $isEntered.get()) return
  enterNumber(entryOfNumber(callee.e164, callee.isoCode), callee.e164, callee.extension)
}

/** @returns the payment in the address; null if this is no return from a checkout */
function readCheckout(): { readonly order: string } | 'cancelled' | null {
  const address = new URL(window.location.href)
  const { searchParams } = address
  const payment = searchParams.get('payment')
  if (payment !== 'success' && payment !== 'cancelled') return null
  const order = searchParams.get('order') ?? ''
  searchParams.delete('payment')
  searchParams.delete('order')
  window.history.replaceState(window.history.state, '', address)
  if (payment === 'cancelled') return 'cancelled'
  return anyCaseUuidPattern.test(order) ? { order } : null
}

function showPaymentState(paid: PaymentState, waiting: Notice | null): void {
  withdrawNotice(waiting)
  if (paid.state === 'failed') return void notifyOfPayment({ tone: 'bad', text: paymentTexts.failed })
  if (paid.state !== 'paid') return void notifyOfPayment({ tone: 'info', text: paymentTexts.expired })
  void refreshBalance() // The balance, in case its event was missed.
  if (paid.held < paid.credits) showToast({ type: 'success', message: paymentTexts.added })
  if (paid.held > 0)
    notifyOfPayment({
      tone: 'info',
      text: paymentTexts.held({ amount: formatCharge(usdToMicroUsd(paid.held)) }),
    })
}

function notifyOfPayment(outcome: Pick<Notice, 'tone' | 'text'>): Notice {
  const notice = { ...outcome, about: 'payment' } as const
  notify(notice)
  return notice
}

function withdrawNotice(waiting: Notice | null): void {
  if (waiting !== null && $notice.get() === waiting) dismissNotice()
}
