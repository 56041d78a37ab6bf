import type { Delivery } from '#lib/api/local-checkout.ts'
import { dayMs, minuteMs } from '#lib/time.ts'
import type { Db } from '../../db/port.ts'
import { type ProviderUpdate, typeOf, writeEvent } from './events.ts'
import { signatureHeader, signEvent } from './signature.ts'
import { after, type LocalTools, newRef } from './tools.ts'

/** Delay of `late` events and of those sent out of order. */
export const lateMs = 20_000
/** Lease on an event being delivered; when it expires, the event is sent again. */
const claimMs = 30_000
const longestBackoffMs = 5 * minuteMs
/** The production provider also retries for three days. */
const givenUpAfterMs = 3 * dayMs
/** Events per turn. */
const atOnce = 50

export interface EventRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

/** Sends one event. @returns the HTTP status of the response @throws if there was none */
export type Deliver = (request: EventRequest) => Promise<number>

const overtaking: ReadonlySet<ProviderUpdate['kind']> = new Set(['refund', 'dispute', 'fraud_warning'])

/** When to deliver an event, by the delivery that the buyer chose on the page. One date per copy. */
function dueDates(delivery: Delivery, update: ProviderUpdate, now: Date): readonly Date[] {
  const late = after(now, lateMs)
  switch (delivery) {
    case 'prompt':
      return [now]
    case 'twice':
      return [now, now]
    case 'late':
      // Later events are not delayed, so they overtake the payment's own event.
      return [overtaking.has(update.kind) ? now : late]
    case 'out_of_order':
      return [update.kind === 'charge_failed' ? late : now]
  }
}

/** Queues an event in the transaction that makes it true. @param delayMs for events that become true only later */
export async function publish(
  tools: LocalTools,
  tx: Db,
  { intentRef, delivery }: { readonly intentRef: string; readonly delivery: Delivery },
  update: ProviderUpdate,
  delayMs = 0,
): Promise<void> {
  const createdAt = after(tools.clock.now(), delayMs)
  const id = newRef(tools.random, 'evt')
  const body = writeEvent(id, createdAt, update)
  for (const dueAt of dueDates(delivery, update, createdAt)) {
    await tx.query(
      `insert into local_event (event_id, intent_ref, type, body, created_at, due_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [id, intentRef, typeOf(update), body, createdAt, dueAt],
    )
  }
}

interface EventRow {
  readonly id: number
  readonly event_id: string
  readonly intent_ref: string
  readonly body: string
  readonly attempts: number
}

export interface OutboxTools extends LocalTools {
  readonly url: string
  readonly deliver: Deliver
  readonly signal: AbortSignal
}

/** Delivers due events at least once, those of one payment in sequence, with growing pauses until a 2xx. @returns the attempts */
export async function deliverDue(tools: OutboxTools): Promise<number> {
  const now = tools.clock.now()
  const claimed = await tools.db.query<EventRow>(
    `update local_event set due_at = $1, attempts = attempts + 1
     where id in (
       select id from local_event where delivered_at is null and due_at <= $2 and created_at > $3
       order by due_at, id limit $4 for update skip locked)
     returning id, event_id, intent_ref, body, attempts`,
    [after(now, claimMs), now, after(now, -givenUpAfterMs), atOnce],
  )
  const ordered = claimed.toSorted((one, other) => one.id - other.id)
  await Promise.all(
    [...Map.groupBy(ordered, row => row.intent_ref).values()].map(rows => inTurn(tools, rows)),
  )
  return claimed.length
}

async function inTurn(tools: OutboxTools, rows: readonly EventRow[]): Promise<void> {
  for (const copies of Map.groupBy(rows, row => row.event_id).values()) {
    await Promise.all(copies.map(row => deliverOne(tools, row)))
  }
}

async function deliverOne(tools: OutboxTools, row: EventRow): Promise<void> {
  const { clock, db, deliver, secret, signal, url } = tools
  const signature = signEvent(secret, new TextEncoder().encode(row.body), clock.now())
  const headers = { 'content-type': 'application/json', [signatureHeader]: signature }
  const answer = await deliver({ url, headers, body: row.body, signal }).catch(() => null)
  const now = clock.now()
  if (answer !== null && answer >= 200 && answer < 300) {
    await db.query('update local_event set delivered_at = $2, answer = $3 where id = $1', [
      row.id,
      now,
      answer,
    ])
    return
  }
  const pauseMs = Math.min(1000 * 2 ** row.attempts, longestBackoffMs)
  await db.query('update local_event set due_at = $2, answer = coalesce($3::int, answer) where id = $1', [
    row.id,
    after(now, pauseMs),
    answer,
  ])
}

const answerWithinMs = 10_000

export const deliverByHttp: Deliver = async ({ url, headers, body, signal }) => {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
  })
  await response.body?.cancel()
  return response.status
}
