import { formatCharge } from '#lib/rules/money.ts'
import { freeCallMinutes } from '#lib/rules/pricing.ts'
import type { Db } from '../../db/port.ts'
import { isCallerIdOf } from '../caller-ids.ts'
import type { Services } from '../context.ts'
import type { Destination } from './destination.ts'
import { mayCallFree } from './free-calls.ts'
import type { CallerOrigin } from './origin.ts'

const dayMs = 24 * 3600_000

/**
 * When a user may next make a test call: so many days after the last that was answered or may be yet. Undefined: now.
 * With the user locked, where one is placed.
 */
async function nextTestCall(db: Db, { clock, policy }: Services, userId: string): Promise<Date | undefined> {
  const waitMs = policy.testCall.everyDays * dayMs
  const [last] = await db.query<{ placed_at: Date | null }>(
    `select max(placed_at) as placed_at from call where user_id = $1 and purpose = 'test' and placed_at > $2
       and (answered_at is not null or state <> 'ended')`,
    [userId, new Date(clock.now().getTime() - waitMs)],
  )
  return last?.placed_at == null ? undefined : new Date(last.placed_at.getTime() + waitMs)
}

export async function findTestCall(services: Services, userId: string): Promise<{ nextAt: string | null }> {
  const next = await nextTestCall(services.db, services, userId)
  return { nextAt: next?.toISOString() ?? null }
}

export type TestCallTerms =
  | { readonly granted: true; readonly minutes: number }
  | { readonly granted: false; readonly message: string }

/**
 * Whether a user may call this number for nothing, to see what shows there, and for how long: a number that they have
 * verified themselves, now and then, of ordinary price, and not too often from one place.
 */
export async function testCallTerms(
  tx: Db,
  services: Services,
  userId: string,
  { to, rateMicroUsd }: Destination,
  origin: CallerOrigin | undefined,
): Promise<TestCallTerms> {
  const { testCall, freeCall } = services.policy
  if (!(await isCallerIdOf(tx, userId, to))) return denied(testCallTexts.notOwn)
  const next = await nextTestCall(tx, services, userId)
  if (next !== undefined)
    return denied(testCallTexts.tooSoon(next.getTime() - services.clock.now().getTime()))
  const minutes = Math.min(testCall.longestMinutes, freeCallMinutes(rateMicroUsd, freeCall))
  if (minutes === 0) return denied(testCallTexts.tooDear(freeCall.worthMicroUsd))
  if (!(await mayCallFree(tx, services, to, origin, 'test'))) return denied(testCallTexts.tooMany)
  return { granted: true, minutes }
}

function denied(message: string): TestCallTerms {
  return { granted: false, message }
}

const testCallTexts = {
  notOwn: 'A test call goes to a number of your own. Verify it first, under Call from.',
  tooSoon: (waitMs: number) => `You have had this week's test call. The next one is free ${inDays(waitMs)}.`,
  tooDear: (worth: number) =>
    `A test call covers numbers up to ${formatCharge(worth)} a minute. Yours costs more.`,
  tooMany: 'Too many test calls came from your connection or went to this number. Try again later.',
} as const

function inDays(ms: number): string {
  const hours = Math.max(1, Math.ceil(ms / 3600_000))
  if (hours === 1) return 'within the hour'
  return hours <= 48 ? `in ${hours} hours` : `in ${Math.ceil(hours / 24)} days`
}
