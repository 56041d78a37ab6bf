import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/port.ts'
import { handleErrors } from '#server/http/errors.ts'
import { type Deliver, deliverByHttp } from '#server/payment-provider/local/outbox.ts'
import { signatureHeader, signEvent } from '#server/payment-provider/local/signature.ts'
import { mountPaymentEvents } from '#server/payments/payments-routes.ts'
import type { Clock } from '#server/process/clock.ts'
import type { Chance } from './storm-chance.ts'

/** The real webhook route on its own port, and a provider that repeats deliveries. */
export interface StormWebhook {
  readonly deliver: Deliver
  open(services: Services): Promise<void>
  /** Delivers a past event again, several times at once, with a current signature. */
  deliverAgain(chance: Chance): Promise<void>
  close(): Promise<void>
}

/** @param onDelivery called for each request */
export function createStormWebhook(
  tools: { readonly db: Db; readonly clock: Clock; readonly secret: Uint8Array; readonly chance: Chance },
  onDelivery: (isAgain: boolean) => void,
): StormWebhook {
  const { db, clock, secret } = tools
  const app = Fastify()
  let url = ''
  const stopping = new AbortController()
  return {
    open: async services => {
      handleErrors(app)
      mountPaymentEvents(app, services)
      await app.listen({ port: 0, host: '127.0.0.1' })
      url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/webhooks/local`
    },
    deliver: async request => {
      onDelivery(false)
      const answer = await deliverByHttp({ ...request, url })
      // The event arrived but its answer is lost, so it will be sent again.
      return tools.chance.happens(0.1) ? 504 : answer
    },
    deliverAgain: async chance => {
      const [newest] = await db.query<{ id: number }>(
        'select coalesce(max(id), 0)::int as id from local_event',
      )
      const [event] = await db.query<{ body: string }>(
        'select body from local_event where id >= $1 order by id limit 1',
        [Math.ceil(chance.upTo(newest?.id ?? 0))],
      )
      if (event === undefined) return
      const signature = signEvent(secret, new TextEncoder().encode(event.body), clock.now())
      const headers = { 'content-type': 'application/json', [signatureHeader]: signature }
      const request = { url, headers, body: event.body, signal: stopping.signal }
      await Promise.all(
        Array.from({ length: 4 }, () => {
          onDelivery(true)
          return deliverByHttp(request).catch(() => undefined)
        }),
      )
    },
    close: async () => {
      stopping.abort()
      await app.close()
    },
  }
}
