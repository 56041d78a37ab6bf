import { type PaymentState, payment } from '#lib/api/payments.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { texts } from '#lib/texts.ts'
import { anyCaseUuidPattern } from '#lib/uuid.ts'
import { authorised } from '#session/api.ts'
import { $session, start } from '#session/session.ts'
import { showToast } from '#session/toasts.ts'
import { loadUser } from '#session/user.ts'
import { $notice, dismissNotice, type Notice, notify } from './notice.ts'

/** Delays between requests in ms, because the payment's event may come late. */
const pausesMs = [500, 1000, 2000, 3000, 5000, 8000, 13_000, 20_000, 30_000, 30_000, 60_000, 60_000, 60_000]

/** On `/call?payment=success&order=<id>`, polls the server. A handmade address adds no credits and shows nothing. */
export async function followPayment(): Promise<void> {
  const order = readOrder()
  if (order === null) return
  await start()
  if ($session.get().status !== 'signed_in') return notify({ tone: 'info', text: texts.payments.signed_out })
  let waiting: Notice | null = null
  for (const pauseMs of [0, ...pausesMs]) {
    await new Promise(resolve => setTimeout(resolve, pauseMs))
    const result = await authorised(payment, { params: { id: order } }, { skipLogoutOnFail: true })
    if (result.ok && result.value.state !== 'waiting') return showPaymentState(result.value, waiting)
    if (!result.ok && [400, 401, 403, 404].includes(result.status)) return withdrawNotice(waiting)
    waiting ??= say({ tone: 'info', text: texts.payments.waiting })
  }
  withdrawNotice(waiting)
  say({ tone: 'warn', text: texts.payments.still_waiting })
}

/** @returns the payment in the address; null if this is no return from a checkout */
function readOrder(): string | null {
  const address = new URL(window.location.href)
  const { searchParams } = address
  if (searchParams.get('payment') !== 'success') return null
  const order = searchParams.get('order') ?? ''
  searchParams.delete('payment')
  searchParams.delete('order')
  window.history.replaceState(window.history.state, '', address)
  return anyCaseUuidPattern.test(order) ? order : null
}

function showPaymentState(paid: PaymentState, waiting: Notice | null): void {
  withdrawNotice(waiting)
  if (paid.state === 'failed') return void say({ tone: 'bad', text: texts.payments.failed })
  if (paid.state !== 'paid') return void say({ tone: 'info', text: texts.payments.expired })
  void loadUser() // The balance, in case its event was missed.
  if (paid.held < paid.credits) showToast({ type: 'success', message: texts.payments.added })
  if (paid.held > 0) say({ tone: 'info', text: heldText(paid.held) })
}

/** @param held USD */
function heldText(held: number): string {
  return `${formatCharge(usdToMicroUsd(held))} of your payment is added after a review. We write to you.`
}

function say(saying: Pick<Notice, 'tone' | 'text'>): Notice {
  const notice = { ...saying, about: 'payment' } as const
  notify(notice)
  return notice
}

function withdrawNotice(waiting: Notice | null): void {
  if (waiting !== null && $notice.get() === waiting) dismissNotice()
}
