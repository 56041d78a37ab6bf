import { createLog } from '#server/http/log.ts'
import { createStripePayments } from '#server/payment-provider/stripe/adapter.ts'
import { systemRandom } from '#server/process/random.ts'
import { createStoppedClock } from '#support/movable-clock.ts'
import { startStripeApi } from '#support/stripe-api.ts'
import { stripeCards } from '#support/stripe-api-types.ts'
import { behavesAsPayments } from './contract.ts'

behavesAsPayments(async () => {
  const clock = createStoppedClock()
  const api = await startStripeApi(() => clock.now())
  const { account } = api
  return {
    clock,
    payments: createStripePayments(api, { clock, random: systemRandom, log: createLog('silent') }),
    pay: async (url, card) => {
      account.pay(url, stripeCards[card])
    },
    passTime: async ms => {
      clock.advance(ms)
      account.expireDue()
    },
    dispute: async intentRef => account.dispute(intentRef, 'needs_response'),
    closeDispute: async (disputeRef, state) => account.closeDispute(disputeRef, state),
    reportFraud: async intentRef => account.reportFraud(intentRef),
    deliveries: async () => api.takeEvents(),
    sign: body => api.sign(body),
    close: () => api.close(),
  }
})
