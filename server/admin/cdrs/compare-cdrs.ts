import { minuteMs } from '#lib/time.ts'
import type { CallDetailRecord, CdrFile } from './cdr-file.ts'

/** An ended call that the carrier carried, as our books have it. */
export interface OwnCall {
  readonly callId: string
  /** E.164. */
  readonly number: string
  /** When it was placed at the carrier, and when it was answered: milliseconds since 1970. */
  readonly beganAtMs: number
  readonly answeredAtMs: number
  readonly answeredMs: number
  /** A minute, by the carrier's price list of that day. */
  readonly costMicroUsd: number
}

/** A call on one side, as it is printed. */
export interface OwnEntry {
  readonly callId: string
  readonly number: string
  readonly atMs: number
  readonly seconds: number
}

export interface Totals {
  readonly seconds: number
  /** Null: the file has no costs. */
  readonly costMicroUsd: number | null
}

export interface CdrComparison {
  readonly fromMs: number
  readonly untilMs: number
  readonly records: number
  readonly calls: number
  readonly onlyCarrier: readonly CallDetailRecord[]
  readonly onlyOurs: readonly OwnEntry[]
  readonly durations: readonly (CallDetailRecord & { readonly ourSeconds: number })[]
  /** `expectedMicroUsd`: the carrier's seconds at the price list's cost. */
  readonly costs: readonly (CallDetailRecord & { readonly expectedMicroUsd: number })[]
  readonly theirs: Totals
  readonly ours: { readonly seconds: number; readonly costMicroUsd: number }
}

/** How far a record's time may be from ours: both sides have clocks and networks of their own. */
export const timeToleranceMs = 5000
export const durationToleranceSeconds = 3
/** Seconds to which carriers round a duration up. */
export const increments = [1, 6, 30, 60] as const
/** Of one call: carriers round each to a ten-thousandth of a dollar. */
export const costToleranceMicroUsd = 100

interface Pair {
  readonly record: CallDetailRecord
  readonly call: OwnCall
}

/**
 * Matches each record with at most one call to the same number within `timeToleranceMs`, nearest first; equally near ones by
 * duration. A start time is as near as can be anywhere between placing and answer, since carriers mean either.
 * @param calls those of the carrier, with some before and after the file's time span: of these only those with a record count
 */
export function compareCdrs({ times, records }: CdrFile, calls: readonly OwnCall[]): CdrComparison {
  const atMs = records.map(record => record.atMs)
  const [fromMs, untilMs] = [atMs.reduce((a, b) => Math.min(a, b)), atMs.reduce((a, b) => Math.max(a, b))]
  const pairs = pairsOf(candidates(times, records, calls))
  const paired = new Set(pairs.flatMap(({ record, call }) => [record, call]))
  const counted = calls.filter(
    call => paired.has(call) || (earliestOf(times, call) >= fromMs && call.answeredAtMs <= untilMs),
  )
  const inOrder = pairs.toSorted((one, other) => one.record.line - other.record.line)
  return {
    fromMs,
    untilMs,
    records: records.length,
    calls: counted.length,
    onlyCarrier: records.filter(record => !paired.has(record)),
    onlyOurs: counted
      .filter(call => !paired.has(call))
      .map(call => ({
        callId: call.callId,
        number: call.number,
        atMs: call.answeredAtMs,
        seconds: secondsOf(call),
      })),
    durations: inOrder
      .filter(({ record, call }) => !isSameDuration(record.seconds, secondsOf(call)))
      .map(({ record, call }) => ({ ...record, ourSeconds: secondsOf(call) })),
    costs: inOrder
      .map(({ record, call }) => ({ ...record, expectedMicroUsd: costOf(record.seconds, call) }))
      .filter(
        ({ costMicroUsd = 0, expectedMicroUsd }) => costMicroUsd > expectedMicroUsd + costToleranceMicroUsd,
      ),
    theirs: {
      seconds: sum(records.map(({ seconds }) => seconds)),
      costMicroUsd: records.some(({ costMicroUsd }) => costMicroUsd !== undefined)
        ? sum(records.map(({ costMicroUsd = 0 }) => costMicroUsd))
        : null,
    },
    ours: {
      seconds: sum(counted.map(secondsOf)),
      costMicroUsd: sum(counted.map(call => costOf(secondsOf(call), call))),
    },
  }
}

/** Every record with every call that it may be. */
function candidates(
  times: CdrFile['times'],
  records: readonly CallDetailRecord[],
  calls: readonly OwnCall[],
): readonly (Pair & { readonly distanceMs: number })[] {
  // By number and minute: a month of calls to one number must not be compared each with each.
  const callsAt = new Map<string, OwnCall[]>()
  for (const call of calls) {
    const first = Math.floor((earliestOf(times, call) - timeToleranceMs) / minuteMs)
    const last = Math.floor((call.answeredAtMs + timeToleranceMs) / minuteMs)
    for (let minute = first; minute <= last; minute += 1) {
      const key = `${call.number} ${minute}`
      const others = callsAt.get(key)
      if (others === undefined) callsAt.set(key, [call])
      else others.push(call)
    }
  }
  return records.flatMap(record =>
    (callsAt.get(`${record.number} ${Math.floor(record.atMs / minuteMs)}`) ?? [])
      .map(call => ({ record, call, distanceMs: distanceMsOf(times, record, call) }))
      .filter(({ distanceMs }) => distanceMs <= timeToleranceMs),
  )
}

function pairsOf(found: ReturnType<typeof candidates>): readonly Pair[] {
  const secondsApart = ({ record, call }: Pair) => Math.abs(record.seconds - secondsOf(call))
  const nearestFirst = found.toSorted(
    (one, other) =>
      one.distanceMs - other.distanceMs ||
      secondsApart(one) - secondsApart(other) ||
      one.record.line - other.record.line,
  )
  const taken = new Set<CallDetailRecord | OwnCall>()
  const pairs: Pair[] = []
  for (const { record, call } of nearestFirst) {
    if (taken.has(record) || taken.has(call)) continue
    taken.add(record).add(call)
    pairs.push({ record, call })
  }
  return pairs
}

function earliestOf(times: CdrFile['times'], { beganAtMs, answeredAtMs }: OwnCall): number {
  return times === 'answer' ? answeredAtMs : Math.min(beganAtMs, answeredAtMs)
}

function distanceMsOf(times: CdrFile['times'], { atMs }: CallDetailRecord, call: OwnCall): number {
  return Math.max(0, earliestOf(times, call) - atMs, atMs - call.answeredAtMs)
}

/** Whether the carrier's duration is ours, give or take the tolerance, rounded up to one of the increments. */
function isSameDuration(theirs: number, ours: number): boolean {
  return increments.some(increment => {
    const roundedUp = (seconds: number) => Math.ceil(Math.max(0, seconds) / increment) * increment
    return (
      theirs % increment === 0 &&
      theirs >= roundedUp(ours - durationToleranceSeconds) &&
      theirs <= roundedUp(ours + durationToleranceSeconds)
    )
  })
}

/** By started minutes. */
function costOf(seconds: number, { costMicroUsd }: OwnCall): number {
  return Math.ceil(seconds / 60) * costMicroUsd
}

function secondsOf({ answeredMs }: OwnCall): number {
  return Math.ceil(answeredMs / 1000)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
