import { failure, type Result, success } from '#lib/result.ts'
import { anyCaseUuidPattern } from '#lib/uuid.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import type { Observation } from '../observability/port.ts'
import type {
  EventRejection,
  KeptCard,
  PaymentEvent,
  PaymentUpdate,
  ProviderTrouble,
} from '../payment-provider/port.ts'
import { announceBalance } from '../realtime/announce-balance.ts'
import { sendRaisedLimitsOf } from '../spending/duration-limits.ts'
import { endFailedTopUp } from './auto-top-up/auto-top-up-failure.ts'
import { Contradiction } from './contradiction.ts'
import { applyFraudWarning } from './fraud-warning.ts'
import { fulfil } from './fulfil.ts'
import { applyDispute, applyRefund, refuseForeignCurrency } from './refunds/refunds.ts'
import { type LockedPayment, lockPayment } from './rows.ts'

/** `contradiction`: signed, but impossible according to our database. Logged as an error, nothing written. */
export type EventTrouble = EventRejection | ProviderTrouble | 'contradiction'

/**
 * Applies one event of the provider, in one transaction; a repeated event changes nothing.
 * @throws when the database fails: the provider must deliver the event again
 */
export async function receiveEvent(
  services: Services,
  body: Uint8Array,
  signature: string,
): Promise<Result<void, EventTrouble>> {
  const event = await services.payments.readEvent(body, signature, services.clock.now())
  return event.ok ? applyPaymentUpdate(services, event.value.update, event.value) : event
}

interface Change {
  readonly userId: string
  readonly forgotten?: KeptCard | undefined
  readonly notice?: string | undefined
  readonly seen?: Observation | undefined
}

/** Applies what the provider reported. @param event undefined for an answer to our request, which may be applied repeatedly */
export async function applyPaymentUpdate(
  services: Services,
  update: PaymentUpdate,
  event?: PaymentEvent,
): Promise<Result<void, 'contradiction'>> {
  if (update.kind === 'other') return success(undefined)
  let change: Change | undefined
  try {
    change = await services.db.transaction(tx => applyUpdate(tx, services, update, event))
  } catch (error) {
    if (!(error instanceof Contradiction)) throw error
    services.log.error({ err: error, event: event?.id, kind: update.kind }, 'a payment event was rejected')
    return failure('contradiction')
  }
  if (change?.seen !== undefined) services.observe?.(change.seen)
  if (change !== undefined) await notifyOfChange(services, change)
  return success(undefined)
}

async function applyUpdate(
  tx: Db,
  services: Services,
  update: PaymentUpdate,
  event: PaymentEvent | undefined,
): Promise<Change | undefined> {
  // Serialises updates of one charge even before we know its payment: a refund may arrive together with its payment.
  if ('intentRef' in update) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [update.intentRef])
  }
  const locked = 'paymentId' in update ? await lockNamed(tx, services, update) : undefined
  if (event !== undefined && !(await note(tx, services, event, locked?.payment.id))) return undefined
  const at = services.clock.now()
  switch (update.kind) {
    case 'paid': {
      if (locked === undefined)
        throw new Contradiction(`payment ${update.paymentId} was paid and is not ours`)
      // Counted as paid only once.
      const { state } = locked.payment
      const seen: Change['seen'] =
        state === 'paid' ? undefined : { kind: 'payment_paid', microUsd: update.amountMicroUsd }
      return { userId: locked.user.id, forgotten: await fulfil(tx, services, locked, update), seen }
    }
    case 'refund':
      return refundChange(tx, await applyRefund(tx, services, update))
    case 'dispute':
      return changeOf(await applyDispute(tx, update, at))
    case 'fraud_warning':
      return changeOf(await applyFraudWarning(tx, services, update))
    case 'foreign_currency':
      await refuseForeignCurrency(tx, update.intentRef)
      return undefined
    case 'checkout_expired':
      await tx.query(`update payment set state = 'expired' where id = $1 and state = 'open'`, [
        locked?.payment.id ?? null,
      ])
      return undefined
    case 'charge_failed':
      if (locked === undefined) return undefined
      // A checkout may still be paid with another card; a charge of a saved card has ended.
      if (locked.payment.kind === 'auto_topup') {
        const notice = await endFailedTopUp(tx, services, locked, update.rejection)
        return notice === undefined ? undefined : { userId: locked.user.id, notice }
      }
      await tx.query(`update payment set failure = $2 where id = $1 and state <> 'paid'`, [
        locked.payment.id,
        update.rejection,
      ])
      return undefined
    case 'other':
      return undefined
  }
}

/** Locks the payment that the update names, if it is ours with this provider. */
async function lockNamed(
  tx: Db,
  { payments }: Services,
  { paymentId }: { readonly paymentId: string },
): Promise<LockedPayment | undefined> {
  if (!anyCaseUuidPattern.test(paymentId)) return undefined
  const locked = await lockPayment(tx, paymentId)
  return locked?.payment.provider === payments.provider ? locked : undefined
}

function changeOf(locked: LockedPayment | undefined): Change | undefined {
  return locked && { userId: locked.user.id }
}

/** @param locked the state before the refund */
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

async function note(
  tx: Db,
  { payments, clock }: Services,
  event: PaymentEvent,
  paymentId: string | undefined,
): Promise<boolean> {
  const noted = await tx.query(
    `insert into payment_event (provider, id, kind, payment_id, received_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning id`,
    [payments.provider, event.id, event.update.kind, paymentId ?? null, clock.now()],
  )
  return noted.length === 1
}

/** Failures are only logged, since the money is booked: a page asks by itself, and a call learns at its next heartbeat. */
async function notifyOfChange(services: Services, { userId, forgotten, notice }: Change): Promise<void> {
  const { log, payments } = services
  await announceBalance(services, userId, notice).catch(error =>
    log.warn({ err: error }, 'could not publish a new balance'),
  )
  await sendRaisedLimitsOf(services, userId).catch(error =>
    log.warn({ err: error }, 'could not raise the duration limits of running calls'),
  )
  if (forgotten === undefined) return
  const gone = await payments.forgetCard(forgotten).catch(error => {
    log.warn({ err: error }, 'could not delete a removed card at the provider')
    return undefined
  })
  if (gone?.ok === false) log.warn('could not delete a removed card at the provider')
}
