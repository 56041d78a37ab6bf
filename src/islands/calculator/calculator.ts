import { atom, type ReadableAtom } from 'nanostores'
import { type CountryRate, readCountryRate } from './country-rate.ts'
import { isMinutesText, steppedMinutes } from './minutes-cost.ts'

export interface Place {
  /** ISO 3166, two upper-case letters. */
  readonly isoCode: string
  readonly name: string
}

export interface Calculation {
  readonly place: Place
  /** As typed: a number of at least 1, or empty. */
  readonly minutes: string
  /** `pending`: the new country's rate is slow to load. */
  readonly rate: CountryRate | { readonly kind: 'pending' }
  readonly asking: boolean
}

/** How long the last country's rate stays, so that a quick answer does not flicker. */
const staleMs = 300

const $shown = atom<Calculation | null>(null)
export const $calculation: ReadableAtom<Calculation | null> = $shown

/** By ISO code; estimates are not cached. */
const answers = new Map<string, CountryRate>()
let question: AbortController | undefined
let ageing: ReturnType<typeof setTimeout> | undefined

function change(part: Partial<Calculation>): void {
  const now = $shown.get()
  if (now !== null) $shown.set({ ...now, ...part })
}

/** Starts from the served page plus what was typed before this code ran. */
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

export function healCalculator(): void {
  const now = $shown.get()
  if (now?.rate.kind === 'estimate') choosePlace(now.place)
}

/** Sets the minutes as typed; ignores values below 1 but accepts an empty field (SPEC-5.1). */
export function setMinutes(text: string): void {
  if (isMinutesText(text)) change({ minutes: text })
}

export function stepMinutes(by: 1 | -1): void {
  change({ minutes: steppedMinutes($shown.get()?.minutes ?? '', by) })
}
