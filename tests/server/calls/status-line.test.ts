import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callSummary } from '#lib/calls/call-summary.ts'
import { endReasonTexts } from '#lib/calls/end-reason-texts.ts'
import { type EndReasonKind, endReasonText } from '#lib/calls/end-reasons.ts'
import { statusLineMax } from '#lib/calls/status-line.ts'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { creditsForUsd, maxUsd } from '#lib/money/credits.ts'
import { formatCharge, microUsdPerUsd, microUsdToUsd } from '#lib/money/money.ts'
import { paymentTexts } from '#lib/money/payment-texts.ts'
import { spendingTexts } from '#lib/money/spending.ts'
import { countries } from '#lib/numbers/countries.ts'
import { emergencyMessage } from '#lib/numbers/emergency.ts'
import { localTimeOfCountry, nightText } from '#lib/numbers/local-time.ts'
import { numberTexts, rejectionTexts } from '#lib/numbers/number-texts.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { dayMs, hourMs, minuteMs } from '#lib/time.ts'
import { rejections as placingTexts } from '#server/calls/placing/rejection-texts.ts'
import {
  freeCallSpentMessage,
  freeCallSpentText,
  limitTexts,
  notFree,
  rejectionMessages,
  ringSpentText,
} from '#server/calls/placing/rejections.ts'
import { testCall } from '#server/calls/placing/test-call-texts.ts'
import { defaultCallPolicy as policy, tiers } from '#server/config/policy.ts'
import { autoTopUpNotice } from '#server/identity/top-up-trouble.ts'
import { type BudgetKind, type BudgetScope, budgetScopes } from '#server/limits/budget-policy.ts'
import { cautionTexts } from '#shared/numbers/caution-texts.ts'
import { exampleRecord } from '#support/example-call.ts'
import { languages } from '#support/languages.ts'

/** Micro-dollars; at or above every amount that the texts show, with as many decimals. */
const tariff = readFileSync('public/tariff.csv', 'utf8').trim().split('\n').slice(1)
const rate = Math.max(...tariff.map(row => Number(row.split(',')[3]) * microUsdPerUsd))
/** Refunds leave amounts finer than a rate. */
const justBelow = rate - 1_100
const waits = [1, 90 * minuteMs, dayMs] as const
const longestMinutes = Math.max(...tiers.map(tier => policy.tiers[tier].longestCallMinutes))

const spent = (kind: BudgetKind, per: BudgetScope, waitMs: number) => ({
  kind,
  per,
  windowSeconds: dayMs / 1000,
  max: 20,
  waitMs,
})

function* rejections(): Generator<string> {
  yield* Object.values(rejectionMessages())
  yield placingTexts.creditsHeld
  yield limitTexts.price({ rateMicroUsd: rate, surchargeMicroUsd: rate })
  yield limitTexts.freeCallRate(policy, rate)
  yield notFree(placingTexts.freeUnavailable, rate)
  for (const tier of tiers) yield limitTexts.rate(tier, policy)
  yield* [testCall.notOwn, testCall.tooMany, testCall.dayOver]
  yield testCall.tooSoon({ when: testCall.inHours({ hours: 48 }) })
  yield testCall.tooExpensive({ max: formatCharge(rate) })
  for (const waitMs of waits) {
    yield limitTexts.paused(waitMs)
    yield limitTexts.newCustomer(policy, policy.newCustomer.spendMicroUsd - 1, waitMs)
    for (const tier of tiers) {
      yield limitTexts.attempts(policy.tiers[tier].attemptsPerHour, waitMs)
      yield limitTexts.hour(policy.tiers[tier].answeredPerHour, waitMs)
      yield limitTexts.day(policy.tiers[tier].answeredPerDay, waitMs)
    }
    for (const per of budgetScopes) {
      yield freeCallSpentText(spent('free_call', per, waitMs))
      yield notFree(freeCallSpentMessage(spent('free_call', per, waitMs)), rate)
      yield ringSpentText(spent('unanswered_ring', per, waitMs))
      yield ringSpentText(spent('unanswered_ring_paid', per, waitMs))
    }
  }
  yield limitTexts.newCustomer(policy, 0, policy.newCustomer.hours * hourMs)
}

function* ownLimits(): Generator<string> {
  yield spendingTexts.callCap(justBelow, rate)
  yield spendingTexts.monthCap(justBelow, rate)
  yield spendingTexts.monthReached
  yield spendingTexts.monthHeld
  for (const country of countries) yield spendingTexts.locked(placeName(country))
}

function* endings(): Generator<string> {
  for (const kind of Object.keys(endReasonTexts) as EndReasonKind[]) yield endReasonText({ kind })
  const long = {
    ...exampleRecord,
    seconds: longestMinutes * 60,
    cost: microUsdToUsd(longestMinutes * rate),
  }
  for (const cap of ['call', 'month', 'new_customer', 'longest'] as const)
    yield callSummary({ ...long, outcome: 'limit', cap }, { kind: 'connection_lost' })
  for (const credited of [1, long.cost])
    for (const outcome of ['completed', 'connection_lost', 'interrupted'] as const)
      yield callSummary({ ...long, outcome, credited }, { kind: 'caller_hung_up' })
}

function* payments(): Generator<string> {
  for (const paused of [false, true])
    for (const trouble of [
      'declined',
      'authentication_required',
      'card_gone',
      'limit',
      'review',
      'unreachable',
    ] as const)
      yield autoTopUpNotice(trouble, paused)
  const { held, ...plain } = paymentTexts
  yield* Object.values(plain)
  yield held({ amount: formatCharge(creditsForUsd(maxUsd) * microUsdPerUsd) })
}

function* cautions(): Generator<string> {
  const { emergency: _, ...plain } = numberTexts
  yield* [emergencyMessage(), ...Object.values(plain), ...Object.values(rejectionTexts)]
  yield cautionTexts.risky
  yield cautionTexts.tollFree
  for (const { isoCode } of countries)
    for (let hour = 0; hour < 24; hour += 1) {
      const local = localTimeOfCountry(isoCode, new Date(Date.UTC(2026, 10, 23, hour)))
      yield (local && nightText(local)) ?? ''
    }
}

describe.each([sourceLanguage, ...languages.map(({ tag }) => tag)])('in %s', language => {
  beforeAll(() => renderIn(language))
  afterAll(() => renderIn(sourceLanguage))

  test.each([
    ['a rejection', rejections],
    ["the user's own limit", ownLimits],
    ['how a call ended', endings],
    ['a payment', payments],
    ['a caution about a number', cautions],
  ])('%s fits the status line, with its longest names and amounts', (_, textsOf) => {
    const long = [...textsOf()].filter(text => lengthOf(text) > statusLineMax)
    expect(long.map(text => `${lengthOf(text)}: ${text}`)).toEqual([])
  })
})

/** Letters as they are drawn: a vowel sign is part of one, and what sets a direction is not seen. */
function lengthOf(text: string): number {
  return text.replace(/[\p{M}\p{Cf}]/gu, '').length
}
