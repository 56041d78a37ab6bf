import { company } from '#lib/company.ts'
import { creditsForUsd } from '#lib/money/credits.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { success } from '#lib/result.ts'
import { hourMs, minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { findUser } from '../../identity/users.ts'
import { inLanguage } from '../../languages/languages.ts'
import { announceBalance } from '../../realtime/announce-balance.ts'
import { answers } from '../payment-texts.ts'
import { applyPaymentUpdate } from '../receive.ts'
import { type LockedPayment, lockPayment } from '../rows.ts'
import { isTopUpDue, startRequestedTopUps } from './auto-top-up.ts'
import { endFailedTopUp, giveUpTopUp } from './auto-top-up-failure.ts'

/** Lease; must outlast the longest wait for the provider. */
const claimMs = minuteMs
const longestPauseMs = 5 * minuteMs
/** Nobody expects a charge later than this. Providers remember our key for longer, and are asked before a charge is given up. */
export const topUpTimeoutMs = hourMs
const batch = 20

interface ClaimedCharge {
  readonly payment_id: string
  readonly user_id: string
  /** Micro-dollars. */
  readonly amount_micro_usd: number
  readonly created_at: Date
  readonly language: string
  readonly customer_ref: string
  readonly method_ref: string
  readonly intent_ref: string | null
  readonly attempts: number
}

/**
 * Writes down requested charges, then makes those that are due. State is saved before and after each request, outside
 * of transactions; if a process dies, the next one retries with the same key. @returns how many were attempted
 */
export async function runAutoTopUps(services: Services): Promise<number> {
  await startRequestedTopUps(services)
  const claimed = await claim(services)
  await Promise.all(
    claimed.map(charge =>
      attempt(services, charge).catch(error =>
        services.log.error({ err: error, paymentId: charge.payment_id }, 'charging an auto top-up failed'),
      ),
    ),
  )
  return claimed.length
}

async function claim({ db, clock, payments }: Services): Promise<readonly ClaimedCharge[]> {
  const now = clock.now()
  return db.query<ClaimedCharge>(
    `update auto_topup_charge charge set attempts = attempts + 1, try_at = $3
     from payment where payment.id = charge.payment_id and charge.payment_id in (
       select payment_id from auto_topup_charge join payment on payment.id = payment_id
       where kind = 'auto_topup' and state = 'open' and provider = $2 and try_at <= $1
       order by try_at limit ${batch} for update of auto_topup_charge skip locked)
     returning charge.payment_id, user_id, amount as amount_micro_usd, created_at, language, customer_ref, method_ref,
       charge.intent_ref, attempts`,
    [now, payments.provider, new Date(now.getTime() + claimMs)],
  )
}

async function attempt(services: Services, charge: ClaimedCharge): Promise<void> {
  const intentRef = charge.intent_ref ?? (await askForCharge(services, charge))
  if (intentRef === undefined) return
  // Same content as the event; whichever comes first counts.
  const known = await services.payments.lookUpCharge(intentRef)
  if (known.ok && known.value !== null) await applyPaymentUpdate(services, known.value)
  else await putOff(services, charge)
}

/** @returns the provider's id of the charge, once it was accepted */
async function askForCharge(services: Services, charge: ClaimedCharge): Promise<string | undefined> {
  const { db, clock, payments } = services
  const user = await findUser(db, charge.user_id)
  const inTime = clock.now().getTime() - charge.created_at.getTime() < topUpTimeoutMs
  const isDue = user !== undefined && isTopUpDue(user)
  if (!isDue || !inTime) return giveUp(services, charge, isDue)
  const credits = creditsForUsd(charge.amount_micro_usd / microUsdPerUsd)
  const charged = await payments.chargeKeptCard({
    customerRef: charge.customer_ref,
    methodRef: charge.method_ref,
    paymentId: charge.payment_id,
    userId: charge.user_id,
    amountMicroUsd: charge.amount_micro_usd,
    description: inLanguage(charge.language, () =>
      answers.autoTopUp({ credits: `${credits}`, company: company.name }),
    ),
  })
  if (charged.ok) return keep(services, charge, charged.value)
  const { code } = charged
  if (code === 'provider_unavailable') await putOff(services, charge)
  else await end(services, charge, (tx, locked) => endFailedTopUp(tx, services, locked, code))
  return undefined
}

async function keep(
  { db }: Services,
  { payment_id }: ClaimedCharge,
  { intentRef }: { readonly intentRef: string },
): Promise<string> {
  await db.query('update auto_topup_charge set intent_ref = $2 where payment_id = $1', [
    payment_id,
    intentRef,
  ])
  return intentRef
}

/**
 * Gives up a charge that the provider says it has not made. While the provider does not answer, the charge stays open,
 * because the card may have been charged.
 * @returns the provider's id of the charge, if it was made after all
 */
async function giveUp(
  services: Services,
  charge: ClaimedCharge,
  isDue: boolean,
): Promise<string | undefined> {
  const mayBeMade = charge.attempts > 1
  const found = mayBeMade
    ? await services.payments.findCharge({
        paymentId: charge.payment_id,
        customerRef: charge.customer_ref,
        since: charge.created_at,
      })
    : success(null)
  if (!found.ok) await putOff(services, charge)
  else if (found.value !== null) return keep(services, charge, found.value)
  else await end(services, charge, (tx, locked) => giveUpTopUp(tx, services, locked, isDue))
  return undefined
}

async function end(
  services: Services,
  charge: ClaimedCharge,
  ending: (tx: Db, locked: LockedPayment) => Promise<string | undefined>,
): Promise<void> {
  const notice = await services.db.transaction(async tx => {
    const locked = await lockPayment(tx, charge.payment_id)
    return locked && ending(tx, locked)
  })
  if (notice !== undefined) await announceBalance(services, charge.user_id, notice)
}

async function putOff({ db, clock }: Services, { payment_id, attempts }: ClaimedCharge): Promise<void> {
  const pauseMs = Math.min(2 ** attempts * 1000, longestPauseMs)
  await db.query('update auto_topup_charge set try_at = $2 where payment_id = $1', [
    payment_id,
    new Date(clock.now().getTime() + pauseMs),
  ])
}
