import { v7 as newUuid } from 'uuid'
import type { CallBound } from '#lib/api/calls.ts'
import { affordableMinutes } from '#lib/money/pricing.ts'
import { spendingTexts } from '#lib/money/spending.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { browserOfSession } from '../../identity/browser.ts'
import { sessionIsOver } from '../../identity/sessions-over.ts'
import { lockUser, type UserRow } from '../../identity/users.ts'
import { type AttemptBudget, openAttemptBudget } from '../../limits/attempt-budget.ts'
import { type CallerOrigin, originOf } from '../../limits/origin.ts'
import { type BudgetSpent, type Reservation, reportSpent } from '../../limits/reserve.ts'
import { boundOf, isLocked, type SpendingRoom, spendingRoom } from '../../spending/caps.ts'
import { countLiveCalls } from '../../spending/live-calls.ts'
import { tierOf } from '../../spending/trust-tier.ts'
import type { CallAttempt, Placement, RejectionCode } from '../../telephony/port.ts'
import { isCallerIdOf } from '../caller-ids/caller-ids.ts'
import { firstInquiryMs } from '../carrier/poll-carrier.ts'
import type { CallRow } from '../rows.ts'
import { isWatched } from './breaker.ts'
import { type Destination, findDestination } from './destination.ts'
import { limitReached } from './fraud-limits.ts'
import { priceCall } from './price.ts'
import { rejections } from './rejection-texts.ts'
import { limitTexts, rejectionMessages } from './rejections.ts'
import { notFreeMessage, termsFor } from './terms.ts'

/** `repeated`: the same attempt was admitted before, and gets the same answer. */
type Decision = Placement & { readonly repeated?: true }

/** An admitted call is saved and its budgets reserved before it rings. @param attempt its id, if any, must be a UUID */
export async function placeCall(services: Services, attempt: CallAttempt): Promise<Decision> {
  let spent: readonly BudgetSpent[] = []
  const decision = await services.db.transaction(async tx => {
    const budget = openAttemptBudget(tx, services)
    const decided = await decide(tx, services, attempt, budget)
    if (decided.kind === 'refuse') await budget.release()
    spent = budget.spent
    return decided
  })
  for (const one of spent) reportSpent(services, one)
  return decision
}

async function decide(
  tx: Db,
  services: Services,
  attempt: CallAttempt,
  budget: AttemptBudget,
): Promise<Decision> {
  const destination = findDestination(services, attempt.to, attempt.callerId)
  const user = await lockUser(tx, attempt.userId)
  if (user?.can_call !== true) return reject('call_blocked')
  if (user.email_verified_at === null) return reject('email_unverified')
  if (typeof destination === 'string') return reject(destination)
  const before = await placedBefore(tx, services, user.id, attempt.leg)
  if (before !== undefined) return before
  if (attempt.sessionId !== undefined && (await sessionIsOver(tx, attempt.sessionId)))
    return reject('signed_out')
  const { isoCode } = destination
  if (await isLocked(tx, user.id, isoCode))
    return reject(
      'destination_locked',
      spendingTexts.locked(placeName(countryOfIso(isoCode) ?? { isoCode, name: isoCode })),
    )
  const from = attempt.callerId
  // PD-24: the user must have verified this number and not removed it since.
  if (from !== undefined && !(await isCallerIdOf(tx, user.id, from))) return reject('caller_id_not_verified')
  const tier = await tierOf(tx, services, user.id)
  const limits = services.policy.tiers[tier]
  const live = await countLiveCalls(tx, user.id)
  if (live >= limits.concurrentCalls) return reject('too_many_calls')
  const origin = await originOf(tx, user.id)
  const ring = { user, destination, origin }
  const terms = await termsFor(tx, services, { ...ring, purpose: attempt.purpose }, budget)
  if (!terms.covered) {
    const wouldCover =
      terms.rejection !== 'test_call' &&
      live > 0 &&
      affordableMinutes(user.balance, destination.rateMicroUsd) > 0
    return reject(terms.rejection, wouldCover ? rejections.creditsHeld : terms.message)
  }
  // The user's own caps, which could prevent payment, are reported on the next press of Call.
  if (attempt.expectsFree === true && !terms.free)
    return reject('not_free', notFreeMessage(ring, terms.spent))
  if (!terms.free && !expectsPrice(attempt, destination))
    return reject('price_changed', limitTexts.price(destination))
  const room = terms.free
    ? undefined
    : await spendingRoom(tx, services, user.id, {
        rateMicroUsd: destination.rateMicroUsd,
        placedAt: services.clock.now(),
      })
  if (room?.minutes === 0) return rejectByCap(services, room, destination)
  const { free } = terms
  const limited = await limitReached(tx, services, { ...ring, tier, free }, budget)
  if (limited !== undefined) return reject(limited.code, limited.message)
  const open = Math.min(terms.minutes, limits.longestCallMinutes)
  const limitMs = Math.min(open, room?.minutes ?? open) * minuteMs
  const cap = boundOf(room, terms.minutes, limits.longestCallMinutes)
  const held = budget.held()
  const call = { user, destination, from, origin, free, limitMs, cap, held }
  const callId = await write(tx, services, attempt, call)
  const { to, shown, rateMicroUsd } = destination
  return { kind: 'connect', callId, to, from: shown, limitMs, rateMicroUsd }
}

/** The answer that the same attempt got before. If that call is over by now, nothing rings again. */
async function placedBefore(
  tx: Db,
  services: Services,
  userId: string,
  leg: string | undefined,
): Promise<Decision | undefined> {
  if (leg === undefined) return undefined
  const [call] = await tx.query<
    Pick<CallRow, 'id' | 'to_number' | 'limit_ms' | 'state' | 'rate'> & { caller_id: string | null }
  >(
    'select id, to_number, limit_ms, state, rate, caller_id from call where carrier_leg = $1 and user_id = $2',
    [leg, userId],
  )
  if (call === undefined) return undefined
  if (call.state === 'ended') return { ...reject('unavailable'), repeated: true }
  const { id: callId, to_number: to, limit_ms: limitMs, rate: rateMicroUsd } = call
  const from = call.caller_id ?? priceCall(services, to)?.shown ?? services.telephony.publicNumbers[0]
  if (from === undefined) throw new Error('the network has no public number')
  return { kind: 'connect', callId, to, from, limitMs, rateMicroUsd, repeated: true }
}

/** The price shown by the page is binding. A surcharge for the caller ID must have been shown. */
function expectsPrice({ expectsRateMicroUsd: expected }: CallAttempt, destination: Destination): boolean {
  if (expected === undefined) return destination.surchargeMicroUsd === 0
  return destination.rateMicroUsd <= expected
}

async function write(
  tx: Db,
  services: Services,
  { attempt, leg, purpose, sessionId }: CallAttempt,
  call: {
    user: UserRow
    destination: Destination
    from: string | undefined
    origin: CallerOrigin | undefined
    free: boolean
    limitMs: number
    cap: CallBound | null
    held: Reservation
  },
): Promise<string> {
  const callId = newCallId(services)
  const { user, destination } = call
  const now = services.clock.now()
  const browser = sessionId === undefined ? undefined : await browserOfSession(tx, sessionId)
  const origin = call.free && call.origin?.local === false ? call.origin : undefined
  await tx.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, node,
       caller_id, dear_prefix, from_address, from_device, carrier_leg, inquire_at, attempt, cap,
       purpose, budget, surcharge, engine, engine_version, system)
     values ($1, $2, $3, $4, $5, $6, $7, 'placed', $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19::jsonb, $20,
       $21, $22, $23)`,
    [
      callId,
      user.id,
      destination.to,
      destination.isoCode,
      destination.rateMicroUsd,
      call.free,
      call.limitMs,
      now,
      leg === undefined ? services.nodeId : null,
      call.from ?? null,
      isWatched(services, destination) ? destination.prefix : null,
      origin?.address ?? null,
      origin?.device ?? null,
      leg ?? null,
      leg === undefined ? null : new Date(now.getTime() + firstInquiryMs),
      attempt ?? null,
      call.cap,
      purpose === 'test' ? 'test' : null,
      call.held.length === 0 ? null : JSON.stringify(call.held),
      destination.surchargeMicroUsd,
      browser?.engine ?? null,
      browser?.version ?? null,
      browser?.system ?? null,
    ],
  )
  if (call.free && purpose !== 'test')
    await tx.query(`update app_user set free_call = 'reserved' where id = $1`, [user.id])
  return callId
}

/** A UUID of version 7: in chronological order, so that new rows go to one end of the index. */
function newCallId({ clock, random }: Services): string {
  return newUuid({ msecs: clock.now().getTime(), random: random.bytes(16) })
}

function rejectByCap(
  { policy, clock }: Services,
  { cap, caps, leftInMonth, uncharged, newCustomer }: SpendingRoom,
  { rateMicroUsd }: Destination,
): Placement {
  if (cap === 'new_customer' && newCustomer !== undefined) {
    const waitMs = newCustomer.endsAt.getTime() - clock.now().getTime()
    return reject('new_customer_cap', limitTexts.newCustomer(policy, newCustomer.left, waitMs))
  }
  if (cap === 'call') return reject('call_cap', spendingTexts.callCap(caps.perCall ?? 0, rateMicroUsd))
  if (uncharged >= rateMicroUsd) return reject('month_cap', spendingTexts.monthHeld)
  return leftInMonth > 0
    ? reject('month_cap', spendingTexts.monthCap(leftInMonth, rateMicroUsd))
    : reject('month_cap')
}

function reject(code: RejectionCode, message = rejectionMessages()[code]): Placement {
  return { kind: 'refuse', code, message }
}
