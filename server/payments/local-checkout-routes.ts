import { authenticateCheckout, payCheckout, viewCheckout } from '#lib/api/local-checkout.ts'
import { commonFailure, failed } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import type { HostedCheckout } from '../payment-provider/local/adapter.ts'

/** The page polls its events every second. */
const looksPerMinute = 600
const attemptsPerMinute = 60

const messages = {
  checkout_expired: 'This checkout has expired. Go back and start again: nothing was charged.',
  invalid_card: "Something about this card isn't right. Check the number, the date and the security code.",
  not_a_test_card: 'Only test cards work here. Choose one above.',
  declined: 'The card was declined. Try another card, or ask the bank.',
  no_funds: "There isn't enough money on this card. Try another one.",
  not_asked: "The bank isn't waiting for an answer. Pay again.",
  not_approved: "You told the bank it wasn't you. Pay again, or use another card.",
} as const

/** API of the local checkout's hosted page. The checkout's reference is the only credential. Never in production. */
export function mountLocalCheckout(mount: Mount, hosted: HostedCheckout): void {
  mount(
    viewCheckout,
    async ({ params }) => {
      const found = await hosted.view(params.ref)
      if (!found.ok) throw commonFailure(found.code)
      return found.value
    },
    { perMinute: looksPerMinute },
  )

  mount(
    payCheckout,
    async ({ params, body }) => {
      const { delivery, ...card } = body
      const paid = await hosted.pay(params.ref, card, delivery)
      if (paid.ok) return paid.value
      if (paid.code === 'not_found') throw commonFailure('not_found')
      throw failed(payCheckout, paid.code, messages[paid.code])
    },
    { perMinute: attemptsPerMinute },
  )

  mount(
    authenticateCheckout,
    async ({ params, body }) => {
      const answered = await hosted.authenticate(params.ref, body.approved)
      if (answered.ok) return answered.value
      if (answered.code === 'not_found') throw commonFailure('not_found')
      throw failed(authenticateCheckout, answered.code, messages[answered.code])
    },
    { perMinute: attemptsPerMinute },
  )
}
