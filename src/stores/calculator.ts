import { atom, type ReadableAtom } from 'nanostores'
import { isMinutesText, steppedMinutes } from '#lib/rules/minutes-cost.ts'
import { type CountryRate, readCountryRate } from './country-rate.ts'

/** A country as its entry in the list says it. */
export interface Place {
  /** Two upper-case letters. */
  readonly isoCode: string
  readonly name: string
}

/** What stands on the calculator's slip. */
export interface Calculation {
  readonly place: Place
  /** As typed: a number of at least 1, or empty. */
  readonly minutes: string
  /** `pending`: the country changed and its rate is taking its time. */
  readonly rate: CountryRate | { readonly kind: 'pending' }
  /** The rate is being asked for: until then the last one stands. */
  readonly asking: boolean
}

/** The last country's rate stays for so long, so that a quick answer does not flicker. */
const staleMs = 300

const $shown = atom<Calculation | null>(null)
/** Null until the calculator is opened. Written here alone. */
export const $calculation: ReadableAtom<Calculation | null> = $shown

/** By ISO code; an estimate is not kept. */
const answers = new Map<string, CountryRate>()
let question: AbortController | undefined
let ageing: ReturnType<typeof setTimeout> | undefined

function change(part: Partial<Calculation>): void {
  const now = $shown.get()
  if (now !== null) $shown.set({ ...now, ...part })
}

/**
 * Starts from what the page was served with, and goes on with what the visitor has entered since: a browser
 * lets people type long before this runs.
 */
export function openCalculator(
  served: Calculation,
  entered: { readonly place: Place; readonly minutes: string },
): void {
  stopAsking()
  answers.clear()
  if (served.rate.kind === 'known') answers.set(served.place.isoCode, served.rate)
  $shown.set(served)
  choosePlace(entered.place)
  setMinutes(entered.minutes)
}

export function choosePlace(place: Place): void {
  stopAsking()
  const known = answers.get(place.isoCode)
  if (known !== undefined) {
    change({ place, rate: known, asking: false })
  } else {
    change({ place, asking: true })
    ageing = setTimeout(() => change({ rate: { kind: 'pending' } }), staleMs)
    void ask(place.isoCode)
  }
}

function stopAsking(): void {
  clearTimeout(ageing)
  question?.abort()
}

async function ask(isoCode: string): Promise<void> {
  const mine = new AbortController()
  question = mine
  const rate = await readCountryRate(isoCode, mine.signal)
  if (mine.signal.aborted) return
  clearTimeout(ageing)
  if (rate.kind !== 'estimate') answers.set(isoCode, rate)
  change({ rate, asking: false })
}

/** Asks again for a rate that could only be estimated: the connection is back. */
export function healCalculator(): void {
  const now = $shown.get()
  if (now?.rate.kind === 'estimate') choosePlace(now.place)
}

/** Takes what was typed; a value below 1 is ignored, an empty field is not (specification section 5). */
export function setMinutes(text: string): void {
  if (isMinutesText(text)) change({ minutes: text })
}

/** The buttons beside the field. */
export function stepMinutes(by: 1 | -1): void {
  change({ minutes: steppedMinutes($shown.get()?.minutes ?? '', by) })
}
