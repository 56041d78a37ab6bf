import { authenticateCheckout, payCheckout, viewCheckout } from '#lib/api/local-checkout.ts'
import { commonFailure, failed } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import type { HostedCheckout } from '../payment-provider/local/adapter.ts'
import { answers } from './payment-texts.ts'

/** The page polls its events every second. */
const looksPerMinute = 600
const attemptsPerMinute = 60

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
      throw failed(payCheckout, paid.code, answers[paid.code])
    },
    { perMinute: attemptsPerMinute },
  )

  mount(
    authenticateCheckout,
    async ({ params, body }) => {
      const answered = await hosted.authenticate(params.ref, body.approved)
      if (answered.ok) return answered.value
      if (answered.code === 'not_found') throw commonFailure('not_found')
      throw failed(authenticateCheckout, answered.code, answers[answered.code])
    },
    { perMinute: attemptsPerMinute },
  )
}
