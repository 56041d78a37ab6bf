import { formatBalance } from '#lib/money/money.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { dayMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import type { PaymentUpdate, ProviderTrouble } from '../payment-provider/port.ts'
import type { Difference } from './reconcile-report.ts'

/** Payments are compared for this long after payment. */
const comparedForMs = 7 * dayMs
/** Max per run; payments never compared come first. */
export const maxCompared = 100
/** Max concurrent requests, so that a run delays a server's stop by seconds at most. */
const atOnce = 5

interface Subject {
  readonly id: string
  readonly kind: 'checkout' | 'auto_topup' | 'gift'
  readonly state: 'paid' | 'open' | 'expired'
  readonly provider: string
  /** Micro-dollars. */
  readonly amount_micro_usd: number
  readonly checkout_ref: string | null
  /** The provider's answer to a charge that was accepted and has no outcome. */
  readonly intent_ref: string | null
  /** The provider's name of the customer whose card an auto top-up charges. */
  readonly customer_ref: string | null
  readonly created_at: Date
}

/** `none`: no charge was made for an auto top-up whose answer was lost. */
type Answer = Result<PaymentUpdate | 'none' | null, ProviderTrouble | 'unreadable'>

/**
 * Compares recent payments and unfinished auto top-ups with the provider, and stops once it is unreachable. Changes
 * only the time of comparison.
 * @param openBefore an auto top-up begun by then and still open did not end as it should
 */
export async function askAboutPayments(
  services: Services,
  openBefore: Date,
  onProgress: () => Promise<void>,
): Promise<{ compared: number; notCompared: number; differences: readonly Difference[] }> {
  const subjects = await findSubjects(services, openBefore)
  const differences: Difference[] = []
  const compared: string[] = []
  const waiting: Subject[] = []
  for (const subject of subjects) {
    const { provider } = subject
    const why = `its provider is ${provider}, which this server does not use`
    if (provider === services.payments.provider) waiting.push(subject)
    else differences.push({ kind: 'auto_topup', text: `${nameOf(subject)}, and ${why}.` })
  }
  const toAsk = waiting.length
  for (let reached = true; reached && waiting.length > 0; ) {
    const turn = waiting.splice(0, atOnce)
    const answers = await Promise.all(turn.map(subject => ask(services, subject)))
    await onProgress()
    for (const [index, subject] of turn.entries()) {
      const answer = answers[index]
      if (answer === undefined || (!answer.ok && answer.code === 'provider_unavailable')) {
        reached = false
        continue
      }
      compared.push(subject.id)
      const text = differenceText(subject, answer)
      if (text !== undefined) {
        const kind = subject.state === 'paid' ? 'payment' : 'auto_topup'
        differences.push({ kind, text: `${nameOf(subject)}; the provider ${text}.` })
      }
    }
  }
  await services.db.query('update payment set compared_at = $1 where id = any($2::uuid[])', [
    services.clock.now(),
    compared,
  ])
  return { compared: compared.length, notCompared: toAsk - compared.length, differences }
}

async function findSubjects({ db, clock, payments }: Services, openBefore: Date): Promise<Subject[]> {
  const columns = 'id, kind, state, provider, amount as amount_micro_usd, checkout_ref, created_at'
  const ofCharge = `${columns}, charge.intent_ref, charge.customer_ref
    from payment left join auto_topup_charge charge on payment_id = id`
  const open = await db.query<Subject>(
    `select ${ofCharge}
     where kind = 'auto_topup' and state = 'open' and created_at <= $1 order by created_at limit ${maxCompared}`,
    [openBefore],
  )
  const since = new Date(clock.now().getTime() - comparedForMs)
  const givenUp = await db.query<Subject>(
    `select ${ofCharge}
     where kind = 'auto_topup' and state = 'expired' and provider = $1 and created_at >= $2
     order by compared_at nulls first, created_at desc limit ${maxCompared}`,
    [payments.provider, since],
  )
  const paid = await db.query<Subject>(
    `select ${columns}, intent_ref, null as customer_ref from payment
     where state = 'paid' and provider = $1 and paid_at >= $2
     order by compared_at nulls first, paid_at desc limit ${maxCompared}`,
    [payments.provider, since],
  )
  return [...open, ...givenUp, ...paid]
}

async function ask({ payments, log }: Services, subject: Subject): Promise<Answer> {
  const { id, kind, checkout_ref, customer_ref, created_at: since } = subject
  try {
    if (kind !== 'auto_topup') {
      if (checkout_ref === null) throw new Error('a payment without a reference')
      return await payments.lookUp(checkout_ref)
    }
    if (subject.intent_ref !== null) return await payments.lookUpCharge(subject.intent_ref)
    if (customer_ref === null) throw new Error('an auto top-up without a card')
    const found = await payments.findCharge({ paymentId: id, customerRef: customer_ref, since })
    if (!found.ok) return found
    return found.value === null ? success('none') : await payments.lookUpCharge(found.value.intentRef)
  } catch (error) {
    log.error({ err: error, paymentId: subject.id }, 'a payment could not be compared')
    return failure('unreadable')
  }
}

function nameOf({ id, state, amount_micro_usd: amountMicroUsd }: Subject): string {
  const usd = formatBalance(amountMicroUsd)
  if (state === 'open') return `Auto top-up ${id} of ${usd} is open for more than a day`
  return state === 'expired'
    ? `Auto top-up ${id} of ${usd} was given up here`
    : `Payment ${id} is paid here with ${usd}`
}

function differenceText(
  { id, state, amount_micro_usd: amountMicroUsd, intent_ref }: Subject,
  answer: Answer,
): string | undefined {
  if (!answer.ok) return 'does not know it, or said what cannot be read (see the log)'
  const answerUpdate = answer.value
  if (answerUpdate === 'none') return state === 'expired' ? undefined : 'knows of no such charge'
  if (answerUpdate === null) return 'says that it is not paid yet'
  if (state === 'expired' && answerUpdate.kind === 'charge_failed') return undefined
  switch (answerUpdate.kind) {
    case 'paid':
      if (answerUpdate.paymentId !== id) return `says that it is payment ${answerUpdate.paymentId}`
      if (answerUpdate.amountMicroUsd !== amountMicroUsd)
        return `says ${formatBalance(answerUpdate.amountMicroUsd)}`
      if (state !== 'paid') return 'says that it is paid'
      return answerUpdate.intentRef === intent_ref
        ? undefined
        : `says that it is charge ${answerUpdate.intentRef}`
    case 'checkout_expired':
      return 'says that it expired'
    case 'charge_failed':
      return `says that it failed: ${answerUpdate.rejection}`
    case 'refund':
    case 'dispute':
    case 'fraud_warning':
    case 'foreign_currency':
    case 'other':
      return 'says what is no payment'
  }
}
