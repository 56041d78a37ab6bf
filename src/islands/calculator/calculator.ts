import { atom, type ReadableAtom } from 'nanostores'
import { type CountryRate, readCountryRate, readNumberRate } from './country-rate.ts'
import { isMinutesText, steppedMinutes, withinMax } from './minutes-cost.ts'
import type { NumberReading } from './number-reading.ts'

export interface Place {
  /** ISO 3166, two upper-case letters. */
  readonly isoCode: string
  readonly name: string
}

export interface Calculation {
  readonly place: Place
  /** What the number's field says. */
  readonly number: NumberReading
  /** As typed: a number of at least 1, or empty. */
  readonly minutes: string
  /** `pending`: the new rate is slow to load. */
  readonly rate: CountryRate | { readonly kind: 'pending' }
  readonly asking: boolean
}

/** How long the last rate stays, so that a quick answer does not flicker. */
const staleMs = 300
const noNumber: NumberReading = { kind: 'none' }

const $shown = atom<Calculation | null>(null)
export const $calculation: ReadableAtom<Calculation | null> = $shown

/** By E.164 or ISO code; estimates are not cached. */
const answers = new Map<string, CountryRate>()
let question: AbortController | undefined
let ageing: ReturnType<typeof setTimeout> | undefined
/** Counts changes of the number, because reading the first one waits for the numbering plans. */
let entries = 0
let written = ''
/** Resolves when the last entry is read. */
let reading: Promise<void> = Promise.resolve()

function change(part: Partial<Calculation>): void {
  const now = $shown.get()
  if (now !== null) $shown.set({ ...now, ...part })
}

/** Starts from the served page plus what was typed before this code ran. */
export function openCalculator(
  served: Calculation,
  entered: { readonly place: Place; readonly minutes: string; readonly number: string },
): void {
  stopAsking()
  answers.clear()
  if (served.rate.kind === 'known') answers.set(served.place.isoCode, served.rate)
  $shown.set(served)
  choosePlace(entered.place)
  setMinutes(entered.minutes)
  void enterNumber(entered.number)
}

/** Chooses a country. A number without its country's code is read anew; one with another code is dropped. */
export function choosePlace(place: Place): void {
  const now = $shown.get()
  if (now?.number.kind === 'ok' && now.number.typed.startsWith('+')) {
    entries += 1
    written = ''
    change({ number: noNumber })
  }
  change({ place })
  if (written === '') rate()
  else void enterNumber(written)
}

/** Reads a number in any written form; a complete one sets the country and the rate. */
export function enterNumber(text: string): Promise<void> {
  reading = readEntry(text)
  return reading
}

/** What the field says once it is read; null if it was edited meanwhile. */
export async function settledNumber(): Promise<NumberReading | null> {
  const entry = entries
  await reading
  return entry === entries ? ($shown.get()?.number ?? noNumber) : null
}

async function readEntry(text: string): Promise<void> {
  entries += 1
  const entry = entries
  const had = $shown.get()?.number.kind === 'ok'
  written = text.trim()
  if (written === '') change({ number: noNumber })
  else {
    // Once a number was read, the next one is read at once.
    if (!had) change({ number: { kind: 'reading', text: written } })
    const number = await readNumber(written)
    if (entry !== entries) return
    change({ number, ...(number.kind === 'ok' && { place: number.place }) })
  }
  if (had || $shown.get()?.number.kind === 'ok') rate()
}

/** Loads the numbering plans, which are large, when somebody is about to type a number. */
export function prepareNumbers(): void {
  import('./number-reading.ts').then(
    ({ prepare }) => prepare(),
    () => undefined, // `readNumber` says so.
  )
}

async function readNumber(text: string): Promise<NumberReading> {
  try {
    const { readNumber: read } = await import('./number-reading.ts')
    return await read(text, $shown.get()?.place.isoCode ?? '', new Date())
  } catch (thrown) {
    console.error('The numbering plans did not load.', thrown)
    return { kind: 'fault', text: "We couldn't check this number. Reload the page and try again." }
  }
}

/** Shows the rate of the number, or else of the country. */
function rate(): void {
  stopAsking()
  const now = $shown.get()
  if (now === null) return
  const e164 = now.number.kind === 'ok' ? now.number.e164 : null
  const known = answers.get(e164 ?? now.place.isoCode)
  if (known !== undefined) change({ rate: known, asking: false })
  else {
    change({ asking: true })
    ageing = setTimeout(() => change({ rate: { kind: 'pending' } }), staleMs)
    void ask(now.place.isoCode, e164)
  }
}

function stopAsking(): void {
  clearTimeout(ageing)
  question?.abort()
}

async function ask(isoCode: string, e164: string | null): Promise<void> {
  const mine = new AbortController()
  question = mine
  const { signal } = mine
  const found = await (e164 === null
    ? readCountryRate(isoCode, signal)
    : readNumberRate(e164, isoCode, signal))
  if (signal.aborted) return
  clearTimeout(ageing)
  if (found.kind !== 'estimate') answers.set(e164 ?? isoCode, found)
  change({ rate: found, asking: false })
}

export function healCalculator(): void {
  if ($shown.get()?.rate.kind === 'estimate') rate()
}

/** Sets the minutes as typed, at most the max; ignores values below 1 but accepts an empty field (SPEC-5.1). */
export function setMinutes(text: string): void {
  if (isMinutesText(text)) change({ minutes: withinMax(text) })
}

export function stepMinutes(by: 1 | -1): void {
  change({ minutes: steppedMinutes($shown.get()?.minutes ?? '', by) })
}
