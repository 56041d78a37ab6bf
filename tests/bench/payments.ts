import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createCheckoutSession } from '#lib/api/payments.ts'
import { creditsForUsd, minUsd } from '#lib/money/credits.ts'
import { writeEvent } from '#server/payment-provider/local/events.ts'
import { signatureHeader, signEvent } from '#server/payment-provider/local/signature.ts'
import { systemClock } from '#server/process/clock.ts'
import { findFreePort } from '#support/test-server.ts'
import { type Sent, sendAll } from './http-load.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'
import { addBuyers, type Shop, withShop } from './shop.ts'

const rounds = 3
const eventsPerRound = 1500
const buyers = 300
const checkouts = 1500
const connections = 16

/**
 * Events of payments a second through the webhook, each of which posts credits and a receipt, and the same bytes sent to a
 * server that only reads them; then the same events once more; then checkouts opened a second.
 */
export async function benchPayments(): Promise<Figure[]> {
  const figures = await withShop(async shop => [...(await benchEvents(shop)), await benchCheckouts(shop)])
  return figures ?? [{ what: 'payments on PostgreSQL', value: 'SKIPPED: PostgreSQL is not installed' }]
}

async function benchEvents(shop: Shop): Promise<Figure[]> {
  const bare = await startBareReceiver()
  const fresh: number[] = []
  const repeated: number[] = []
  const theirs: number[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const events = await writeEvents(shop)
      theirs.push((await sendAll(`http://localhost:${bare.port}`, events, connections)).perSecond)
      fresh.push((await sendAll(shop.server.url, events, connections)).perSecond)
      repeated.push((await sendAll(shop.server.url, events, connections)).perSecond)
    }
  } finally {
    bare.child.kill()
  }
  const [row] = await shop.db.query<{ paid: number }>(
    `select count(*)::int as paid from payment where state = 'paid'`,
  )
  if (row?.paid !== rounds * eventsPerRound) throw new Error(`${row?.paid} payments were paid`)
  const [own, again, peer] = [median(fresh), median(repeated), median(theirs)]
  return [
    { what: 'events of payments a second, each to the receipt (PostgreSQL)', value: own.toFixed(0) },
    { what: 'the same events delivered again', value: again.toFixed(0) },
    { what: 'a bare node:http server that reads the same bytes, same run', value: peer.toFixed(0) },
    { what: 'ratio, new events', value: (own / peer).toFixed(2) },
    { what: 'ratio, repeated events', value: (again / peer).toFixed(2) },
  ]
}

/** Payments of new buyers that are open, and the signed events which say that they were paid. */
async function writeEvents({ db, keys }: Shop): Promise<Sent[]> {
  const users = await addBuyers(db, buyers)
  const rows = await db.query<{ id: string }>(
    `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, express_request_at, created_at)
     select gen_random_uuid(), user_id, 'checkout', 'open', 'local', 10000000, 0, false, now(), now()
     from unnest($1::uuid[]) user_id, generate_series(1, $2::int) returning id`,
    [users, eventsPerRound / buyers],
  )
  return rows.map(({ id }) => {
    const now = systemClock.now()
    const body = writeEvent(`evt_${id}`, now, {
      kind: 'paid',
      paymentId: id,
      checkoutRef: `cs_${id}`,
      intentRef: `pi_${id}`,
      amountMicroUsd: 10_000_000,
      card: { brand: 'visa', last4: '4242', fingerprint: id },
      kept: null,
    })
    const signature = signEvent(keys.payments, Buffer.from(body), now)
    const headers = { 'content-type': 'application/json', [signatureHeader]: signature }
    return { path: '/api/webhooks/local', headers, body }
  })
}

async function benchCheckouts({ server, db, signIn }: Shop): Promise<Figure> {
  const users = await addBuyers(db, connections)
  const headers = await Promise.all(users.map(signIn))
  const presses = Array.from({ length: checkouts }, (_, index): Sent => {
    // Another amount each time: the same one would lead to the same checkout.
    const amount = minUsd + Math.floor(index / users.length)
    const order = { amount, credits: creditsForUsd(amount), referralId: null, autoTopUpEnabled: false }
    return {
      path: createCheckoutSession.path,
      headers: {
        ...headers[index % users.length],
        'content-type': 'application/json',
        'x-forwarded-for': `198.18.${Math.floor(index / 250)}.${index % 250}`,
      },
      body: JSON.stringify(order),
    }
  })
  const { answers, perSecond } = await sendAll(server.url, presses, connections)
  if (new Set(answers.map(({ body }) => body)).size !== checkouts) throw new Error('checkouts were shared')
  return { what: 'checkouts opened a second (PostgreSQL)', value: perSecond.toFixed(0) }
}

async function startBareReceiver(): Promise<{ child: ChildProcess; port: number }> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-receiver.ts'), String(port)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return { child, port }
}
