import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../../db/port.ts'
import type { Observation } from '../../observability/port.ts'
import type {
  EventRefusal,
  KeptCard,
  PaymentEvent,
  PaymentNews,
  ProviderTrouble,
} from '../../payments/port.ts'
import { announceBalance } from '../announce.ts'
import { tellRaisedLimitsOf } from '../calls/limits.ts'
import type { Services } from '../context.ts'
import { endFailedTopUp } from './auto-top-up-failure.ts'
import { Contradiction } from './contradiction.ts'
import { fulfil } from './fulfil.ts'
import { takeDispute, takeRefund } from './refunds.ts'
import { type LockedPayment, lockPayment } from './rows.ts'

/** `contradiction`: signed, and against our books. Logged as an error, nothing written. */
export type EventTrouble = EventRefusal | ProviderTrouble | 'contradiction'

/**
 * Takes one event of the provider's, from the bytes of its request. An event that was taken before changes nothing;
 * neither does one that tells nothing new. All that one brings about is one transaction.
 * @throws when the database fails: the provider is to deliver it again
 */
export async function receiveEvent(
  services: Services,
  body: Uint8Array,
  signature: string,
): Promise<Result<void, EventTrouble>> {
  const event = await services.payments.readEvent(body, signature, services.clock.now())
  return event.ok ? takeNews(services, event.value.news, event.value) : event
}

/** What a piece of news changed, to be told after the commit. */
interface Change {
  readonly userId: string
  readonly forgotten?: KeptCard | undefined
  /** What the user is to read. */
  readonly notice?: string | undefined
  readonly seen?: Observation | undefined
}

/**
 * Takes what the provider says, by an event or asked.
 * @param event undefined where it was asked: its answer is taken as often as it is given
 */
export async function takeNews(
  services: Services,
  news: PaymentNews,
  event?: PaymentEvent,
): Promise<Result<void, 'contradiction'>> {
  if (news.kind === 'other') return success(undefined)
  let change: Change | undefined
  try {
    change = await services.db.transaction(tx => take(tx, services, news, event))
  } catch (error) {
    if (!(error instanceof Contradiction)) throw error
    services.log.error({ err: error, event: event?.id, kind: news.kind }, 'a payment event was refused')
    return failure('contradiction')
  }
  if (change?.seen !== undefined) services.observe?.(change.seen)
  if (change !== undefined) await tell(services, change)
  return success(undefined)
}

async function take(
  tx: Db,
  services: Services,
  news: PaymentNews,
  event: PaymentEvent | undefined,
): Promise<Change | undefined> {
  // News of one charge takes turns, also while we do not know yet whose it is: a refund may come with its payment.
  if ('intentRef' in news) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [news.intentRef])
  }
  const locked = 'paymentId' in news ? await lockNamed(tx, services, news) : undefined
  if (event !== undefined && !(await note(tx, services, event, locked?.payment.id))) return undefined
  const at = services.clock.now()
  switch (news.kind) {
    case 'paid': {
      if (locked === undefined) throw new Contradiction(`payment ${news.paymentId} was paid and is not ours`)
      // Told twice, it was paid once.
      const { state } = locked.payment
      const seen: Change['seen'] =
        state === 'paid' ? undefined : { kind: 'payment_paid', microUsd: news.amountMicroUsd }
      return { userId: locked.user.id, forgotten: await fulfil(tx, services, locked, news), seen }
    }
    case 'refund':
      return refundChange(tx, await takeRefund(tx, services, news))
    case 'dispute':
      return changeOf(await takeDispute(tx, news, at))
    case 'checkout_expired':
      await tx.query(`update payment set state = 'expired' where id = $1 and state = 'open'`, [
        locked?.payment.id ?? null,
      ])
      return undefined
    case 'charge_failed':
      if (locked === undefined) return undefined
      // A checkout may still be paid with another card; a charge of a kept card has ended.
      if (locked.payment.kind === 'auto_topup') {
        const notice = await endFailedTopUp(tx, services, locked, news.refusal)
        return notice === undefined ? undefined : { userId: locked.user.id, notice }
      }
      await tx.query(`update payment set failure = $2 where id = $1 and state <> 'paid'`, [
        locked.payment.id,
        news.refusal,
      ])
      return undefined
    case 'other':
      return undefined
  }
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The payment that the news names, if it is one of ours with this provider. */
async function lockNamed(
  tx: Db,
  { payments }: Services,
  { paymentId }: { readonly paymentId: string },
): Promise<LockedPayment | undefined> {
  if (!uuidPattern.test(paymentId)) return undefined
  const locked = await lockPayment(tx, paymentId)
  return locked?.payment.provider === payments.provider ? locked : undefined
}

function changeOf(locked: LockedPayment | undefined): Change | undefined {
  return locked && { userId: locked.user.id }
}

/** @param locked as it was before the refund */
async function refundChange(tx: Db, locked: LockedPayment | undefined): Promise<Change | undefined> {
  if (locked === undefined) return undefined
  const { id, refunded: before } = locked.payment
  const [after] = await tx.query<{ refunded: number }>('select refunded from payment where id = $1', [id])
  const microUsd = (after?.refunded ?? before) - before
  return {
    userId: locked.user.id,
    seen: microUsd > 0 ? { kind: 'payment_refunded', microUsd } : undefined,
  }
}

/** @returns whether the event is a new one */
async function note(
  tx: Db,
  { payments, clock }: Services,
  event: PaymentEvent,
  paymentId: string | undefined,
): Promise<boolean> {
  const noted = await tx.query(
    `insert into payment_event (provider, id, kind, payment_id, received_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning id`,
    [payments.provider, event.id, event.news.kind, paymentId ?? null, clock.now()],
  )
  return noted.length === 1
}

/** The money stands either way: a page that was not told asks, a call that was not told learns by the heartbeat. */
async function tell(services: Services, { userId, forgotten, notice }: Change): Promise<void> {
  const { log, payments } = services
  await announceBalance(services, userId, notice).catch(error =>
    log.warn({ err: error }, 'a new balance was not announced'),
  )
  await tellRaisedLimitsOf(services, userId).catch(error =>
    log.warn({ err: error }, 'raised limits were not told'),
  )
  if (forgotten === undefined) return
  const gone = await payments.forgetCard(forgotten).catch(error => {
    log.warn({ err: error }, 'a card that is kept no more was not forgotten')
    return undefined
  })
  if (gone?.ok === false) log.warn('a card that is kept no more was not forgotten')
}
