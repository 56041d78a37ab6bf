import type { CallBound } from '#lib/api/calls.ts'
import { countryOfIso } from '#lib/rules/countries.ts'
import { formatCharge } from '#lib/rules/money.ts'
import { affordableMinutes, freeCallMinutes, msPerMinute } from '#lib/rules/pricing.ts'
import { spendingTexts } from '#lib/rules/spending.ts'
import type { Db } from '../../db/port.ts'
import type { CallAttempt, Placement, RefusalCode } from '../../telephony/port.ts'
import { isCallerIdOf } from '../caller-ids.ts'
import type { Services } from '../context.ts'
import { lockUser, type UserRow } from '../users.ts'
import { limitReached } from './allowance.ts'
import { isWatched } from './breaker.ts'
import { boundOf, isLocked, type SpendingRoom, spendingRoom } from './caps.ts'
import { type Destination, findDestination } from './destination.ts'
import { mayCallFree } from './free-calls.ts'
import { firstInquiryMs } from './inquire.ts'
import { type CallerOrigin, originOf } from './origin.ts'
import { limitTexts, notFree, refusalMessage } from './refusals.ts'
import { type CallRow, countLiveCalls } from './rows.ts'
import { tierOf, unheldBalance } from './standing.ts'
import { testCallTerms } from './test-call.ts'

/** `repeated`: the same attempt was let through before, and is only told once more. */
type Decision = Placement & { readonly repeated?: true }

/**
 * Decides about one attempt to call: who may, where to, and for how long. A call that may go on is
 * written down, its free call reserved, before anything rings.
 * @param attempt its own name, where it has one, is a UUID
 */
export async function placeCall(services: Services, attempt: CallAttempt): Promise<Decision> {
  const destination = findDestination(services, attempt.to)
  return services.db.transaction(async tx => {
    const user = await lockUser(tx, attempt.userId)
    if (user?.can_call !== true) return refuse('call_blocked')
    if (user.email_verified_at === null) return refuse('email_unverified')
    if (typeof destination === 'string') return refuse(destination)
    const before = await placedBefore(tx, user.id, attempt.leg)
    if (before !== undefined) return before
    const { isoCode } = destination
    if (await isLocked(tx, user.id, isoCode))
      return refuse('destination_locked', spendingTexts.locked(countryOfIso(isoCode)?.name ?? isoCode))
    const from = attempt.callerId
    // Decision 24: only a number that this very user has verified, and has not removed since.
    if (from !== undefined && !(await isCallerIdOf(tx, user.id, from)))
      return refuse('caller_id_not_verified')
    const tier = await tierOf(tx, services, user.id)
    const limits = services.policy.tiers[tier]
    const live = await countLiveCalls(tx, user.id)
    if (live >= limits.concurrentCalls) return refuse('too_many_calls')
    const origin = await originOf(tx, user.id)
    const terms = await termsFor(tx, services, { user, destination, origin, purpose: attempt.purpose })
    if (!terms.covered) {
      const wouldCover =
        terms.refusal !== 'test_call' &&
        live > 0 &&
        affordableMinutes(user.balance, destination.rateMicroUsd) > 0
      return refuse(terms.refusal, wouldCover ? limitTexts.creditsHeld : terms.message)
    }
    // A limit of their own that would keep them from paying for it is told at the press that would.
    if (attempt.expectsFree === true && !terms.free)
      return refuse('not_free', notFreeWords(services, user, destination))
    const room = terms.free
      ? undefined
      : await spendingRoom(tx, user.id, {
          rateMicroUsd: destination.rateMicroUsd,
          placedAt: services.clock.now(),
        })
    if (room?.minutes === 0) return refuseByCap(room, destination)
    const limited = await limitReached(tx, services, { user, tier, destination, free: terms.free })
    if (limited !== undefined) return refuse(limited.code, limited.message)
    const open = Math.min(terms.minutes, limits.longestCallMinutes)
    const limitMs = Math.min(open, room?.minutes ?? open) * msPerMinute
    const cap = boundOf(room, terms.minutes, limits.longestCallMinutes)
    const { free } = terms
    const callId = await write(tx, services, attempt, { user, destination, from, origin, free, limitMs, cap })
    return { kind: 'connect', callId, to: destination.to, from, limitMs }
  })
}

/** What the same attempt was answered, told once more. One that is over by now rings nobody any more. */
async function placedBefore(tx: Db, userId: string, leg: string | undefined): Promise<Decision | undefined> {
  if (leg === undefined) return undefined
  const [call] = await tx.query<
    Pick<CallRow, 'id' | 'to_number' | 'limit_ms' | 'state'> & { caller_id: string | null }
  >('select id, to_number, limit_ms, state, caller_id from call where carrier_leg = $1 and user_id = $2', [
    leg,
    userId,
  ])
  if (call === undefined) return undefined
  if (call.state === 'ended') return { ...refuse('unavailable'), repeated: true }
  const { id: callId, to_number: to, caller_id: from, limit_ms: limitMs } = call
  return { kind: 'connect', callId, to, from: from ?? undefined, limitMs, repeated: true }
}

interface Wish {
  readonly user: UserRow
  readonly destination: Destination
  readonly origin: CallerOrigin | undefined
  readonly purpose: CallAttempt['purpose']
}

type Terms =
  | { readonly covered: true; readonly minutes: number; readonly free: boolean }
  | { readonly covered: false; readonly refusal: RefusalCode; readonly message: string | undefined }

/**
 * A test call is granted or not, and never charged. Of others free first where the destination is eligible, else what the
 * balance covers beside what the user's other calls may take of it.
 */
async function termsFor(tx: Db, services: Services, wish: Wish): Promise<Terms> {
  const { user, destination, origin } = wish
  const { to, rateMicroUsd } = destination
  if (wish.purpose === 'test') {
    const test = await testCallTerms(tx, services, user.id, destination, origin)
    return test.granted
      ? { covered: true, minutes: test.minutes, free: true }
      : { covered: false, refusal: 'test_call', message: test.message }
  }
  const wouldBeFree = user.free_call === 'available'
  const freeMinutes = wouldBeFree ? freeCallMinutes(rateMicroUsd, services.policy.freeCall) : 0
  const mayBeFree = freeMinutes > 0 && (await mayCallFree(tx, services, to, origin))
  if (mayBeFree) return { covered: true, minutes: freeMinutes, free: true }
  const minutes = affordableMinutes(await unheldBalance(tx, user.id), rateMicroUsd)
  if (minutes > 0) return { covered: true, minutes, free: false }
  if (freeMinutes > 0) return { covered: false, refusal: 'free_call_limit', message: undefined }
  const message = wouldBeFree ? notFreeMessage(services, rateMicroUsd) : undefined
  return { covered: false, refusal: 'no_credits', message }
}

async function write(
  tx: Db,
  services: Services,
  { attempt, leg, purpose }: CallAttempt,
  call: {
    user: UserRow
    destination: Destination
    from: string | undefined
    origin: CallerOrigin | undefined
    free: boolean
    limitMs: number
    cap: CallBound | null
  },
): Promise<string> {
  const callId = services.random.uuid()
  const { user, destination } = call
  const now = services.clock.now()
  const origin = call.free && call.origin?.local === false ? call.origin : undefined
  await tx.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, node,
       caller_id, dear_prefix, from_address, from_device, carrier_leg, inquire_at, attempt, cap,
       purpose)
     values ($1, $2, $3, $4, $5, $6, $7, 'placed', $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
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
    ],
  )
  if (call.free && purpose !== 'test')
    await tx.query(`update app_user set free_call = 'reserved' where id = $1`, [user.id])
  return callId
}

/** Why a call that was promised to be free would be charged: its limits, unless the free call or the price is not there. */
function notFreeWords(services: Services, user: UserRow, { rateMicroUsd }: Destination): string {
  if (user.free_call !== 'available') return notFree('Your free call is used or in use.', rateMicroUsd)
  if (freeCallMinutes(rateMicroUsd, services.policy.freeCall) > 0)
    return notFree(limitTexts.freeCalls, rateMicroUsd)
  return notFree('Your free call is not for this number.', rateMicroUsd)
}

/** Decision 20: a free call that does not reach this far is kept, and the caller told why. */
function notFreeMessage({ policy }: Services, rateMicroUsd: number): string {
  const worth = formatCharge(policy.freeCall.worthMicroUsd)
  return `Your free call covers rates up to ${worth} a minute. This number costs ${formatCharge(rateMicroUsd)}.`
}

/** Which of the user's own caps covers no minute there, what is left of it, and where to change it. */
function refuseByCap(
  { cap, caps, leftInMonth, uncharged }: SpendingRoom,
  { rateMicroUsd }: Destination,
): Placement {
  if (cap === 'call') return refuse('call_cap', spendingTexts.callCap(caps.perCall ?? 0, rateMicroUsd))
  if (uncharged >= rateMicroUsd) return refuse('month_cap', spendingTexts.monthHeld)
  return leftInMonth > 0
    ? refuse('month_cap', spendingTexts.monthCap(leftInMonth, rateMicroUsd))
    : refuse('month_cap')
}

function refuse(code: RefusalCode, message = refusalMessage[code]): Placement {
  return { kind: 'refuse', code, message }
}
