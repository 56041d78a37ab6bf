import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { countryRate } from '#lib/api/rates.ts'
import { buildPath } from '#session/transport.ts'
import { freshBrowser } from '#support/fake-browser.ts'
import {
  $calculation,
  type Calculation,
  choosePlace,
  enterNumber,
  healCalculator,
  openCalculator,
  setMinutes,
  stepMinutes,
} from './calculator.ts'

const unitedStates = { isoCode: 'US', name: 'United States' }
const india = { isoCode: 'IN', name: 'India' }
const cuba = { isoCode: 'CU', name: 'Cuba' }
const served: Calculation = {
  place: unitedStates,
  number: { kind: 'none' },
  minutes: '5',
  rate: { kind: 'known', microUsdPerMinute: 20_000, freeMinutes: 5, maxSurchargeMicroUsd: 0 },
  asking: false,
}

interface Question {
  readonly path: string
  readonly signal: AbortSignal
  readonly answer: (response: Response) => void
  readonly fail: () => void
}
let questions: Question[] = []

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  questions = []
  vi.stubGlobal(
    'fetch',
    (path: string, { signal }: { signal: AbortSignal }) =>
      new Promise<Response>((answer, reject) => {
        questions.push({ path, signal, answer, fail: () => reject(new TypeError('failed to fetch')) })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  openCalculator(served, { place: unitedStates, minutes: '5', number: '' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function shown(): Calculation {
  const calculation = $calculation.get()
  if (calculation === null) throw new Error('the calculator is not open')
  return calculation
}

const known = (ourRate: number, freeMinutes = 5) => Response.json({ isoCode: 'XX', ourRate, freeMinutes })
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0)
}

describe('a number whose numbering plans are not here yet', () => {
  afterEach(() => {
    vi.doUnmock('#shared/numbers/phone-rules.ts')
  })

  /** A calculator of its own, whose numbering plans come when released. */
  async function openSlowly() {
    vi.useRealTimers()
    vi.resetModules()
    freshBrowser()
    const plans = Promise.withResolvers<void>()
    const actual = await vi.importActual<typeof import('#shared/numbers/phone-rules.ts')>(
      '#shared/numbers/phone-rules.ts',
    )
    vi.doMock('#shared/numbers/phone-rules.ts', () => ({
      ...actual,
      loadPhoneRules: () => plans.promise.then(actual.loadPhoneRules),
    }))
    const calculator = await import('./calculator.ts')
    const { keepNumber } = await import('./kept-number.ts')
    calculator.openCalculator(served, { place: india, minutes: '5', number: '' })
    const number = () => calculator.$calculation.get()?.number ?? { kind: 'none' as const }
    const kept = () => JSON.parse(localStorage.getItem('pendingCall') ?? 'null')
    return { ...calculator, keepNumber, plans, number, kept }
  }

  test('is held until they are; whoever waits for it gets it', async () => {
    const page = await openSlowly()
    void page.enterNumber('+91 98765 43210')
    expect(page.number()).toEqual({ kind: 'reading', text: '+91 98765 43210' })
    const waiting = page.settledNumber()
    page.plans.resolve()
    expect(await waiting).toMatchObject({ kind: 'ok', e164: '+919876543210' })
  })

  test('is dropped by whoever waits for it when it is edited', async () => {
    const page = await openSlowly()
    void page.enterNumber('+91 98765 43210')
    const waiting = page.settledNumber()
    void page.enterNumber('+91 98765 4321')
    page.plans.resolve()
    expect(await waiting).toBeNull()
  })

  test('is kept for another tab as typed, and then as read', async () => {
    const page = await openSlowly()
    void page.enterNumber('098765 43210 ext. 12')
    page.keepNumber(page.number(), india)
    expect(page.kept()).toMatchObject({ country: 'in', typed: '09876543210', extension: '' })
    page.plans.resolve()
    await vi.waitFor(() => expect(page.kept()).toMatchObject({ country: 'in', extension: ',12' }))
  })
})

describe('a number', () => {
  const mum = { kind: 'ok', e164: '+919876543210', formatted: '+91 98765 43210', country: 'in' }

  test('sets its country and asks for its own rate; what a caller ID can add is asked of the country', async () => {
    vi.useRealTimers()
    void enterNumber(' +91 (98765) 43210 ext. 12 ')
    await vi.waitFor(() => expect(questions).toHaveLength(2), 5000)
    expect(shown()).toMatchObject({ place: india, number: { ...mum, typed: mum.e164, extension: ',12' } })
    expect(questions.map(({ path }) => path)).toEqual(['/api/rates/number/%2B919876543210', '/api/rates/IN'])
    questions[0]?.answer(known(0.03))
    questions[1]?.answer(Response.json({ ourRate: 0.024, freeMinutes: 5, maxSurcharge: 0.1 }))
    await vi.waitFor(() => expect(shown().asking).toBe(false))
    expect(shown().rate).toMatchObject({ microUsdPerMinute: 30_000, maxSurchargeMicroUsd: 100_000 })

    void enterNumber('')
    expect(shown()).toMatchObject({ place: india, number: { kind: 'none' } })
  })

  test('written as at home is read in the chosen country, and anew when that changes', async () => {
    vi.useRealTimers()
    await enterNumber('098765 43210')
    expect(shown().number).toMatchObject({ kind: 'fault' })
    expect(JSON.stringify(shown().number)).toContain('Choose its country below')
    choosePlace(india)
    await vi.waitFor(() => expect(shown().number).toMatchObject(mum), 5000)
  })

  test('of another country goes when a country is chosen', async () => {
    vi.useRealTimers()
    await enterNumber('+919876543210')
    expect(shown().number).toMatchObject(mum)
    choosePlace(cuba)
    expect(shown()).toMatchObject({ place: cuba, number: { kind: 'none' } })
  })
})

describe('opening', () => {
  test('starts with what the page was served with, and asks nothing', () => {
    expect(shown()).toEqual(served)
    expect(questions).toEqual([])
  })

  test('keeps what was entered before it ran', async () => {
    openCalculator(served, { place: india, minutes: '12', number: '' })
    expect(shown()).toMatchObject({ place: india, minutes: '12' })
    questions[0]?.answer(known(0.024))
    await settle()
    expect(shown().rate).toMatchObject({ kind: 'known', microUsdPerMinute: 24_000 })
  })

  test('an early value below 1 is ignored, an emptied field is not', () => {
    openCalculator(served, { place: unitedStates, minutes: '0', number: '' })
    expect(shown().minutes).toBe('5')
    openCalculator(served, { place: unitedStates, minutes: '', number: '' })
    expect(shown().minutes).toBe('')
  })
})

describe('minutes', () => {
  test.each(['1', '12', '2.5', '', '10000'])('takes %j', text => {
    setMinutes(text)
    expect(shown().minutes).toBe(text)
  })

  test.each(['0', '0.9', '-3', 'five'])('ignores %j', text => {
    setMinutes(text)
    expect(shown().minutes).toBe('5')
  })

  test('a larger number becomes the max', () => {
    setMinutes('100000')
    expect(shown().minutes).toBe('10000')
  })

  test.each([
    ['5', 1, '6'],
    ['5', -1, '4'],
    ['1', -1, '1'],
    ['', 1, '1'],
    ['', -1, '1'],
    ['2.5', 1, '3'],
    ['2.5', -1, '2'],
    ['10000', 1, '10000'],
  ] as const)('from %j a step of %i leads to %j', (from, by, to) => {
    setMinutes(from)
    stepMinutes(by)
    expect(shown().minutes).toBe(to)
  })
})

describe('the rate of another country', () => {
  test('is asked for at the address of the contract', () => {
    choosePlace(india)
    expect(questions.map(({ path }) => path)).toEqual([
      buildPath(countryRate.path, { params: { isoCode: 'IN' } }),
    ])
    expect(shown()).toMatchObject({ place: india, asking: true })
  })

  test('replaces the last one when it comes quickly, with nothing in between', async () => {
    const seen: string[] = []
    const stop = $calculation.subscribe(calculation => seen.push(calculation?.rate.kind ?? ''))
    choosePlace(india)
    await vi.advanceTimersByTimeAsync(290)
    questions[0]?.answer(known(0.024, 3))
    await vi.advanceTimersByTimeAsync(1000)
    stop()
    expect(seen).not.toContain('pending')
    expect(shown()).toMatchObject({
      rate: { kind: 'known', microUsdPerMinute: 24_000, freeMinutes: 3 },
      asking: false,
    })
  })

  test('shows that it is waited for after 300 ms', async () => {
    choosePlace(india)
    await vi.advanceTimersByTimeAsync(299)
    expect(shown().rate.kind).toBe('known')
    await vi.advanceTimersByTimeAsync(1)
    expect(shown().rate.kind).toBe('pending')
    questions[0]?.answer(known(0.024))
    await settle()
    expect(shown().rate.kind).toBe('known')
  })

  test('is not overtaken by the answer of an earlier country', async () => {
    choosePlace(india)
    choosePlace(cuba)
    questions[1]?.answer(known(0.8, 0))
    await settle()
    questions[0]?.answer(known(0.024))
    await vi.advanceTimersByTimeAsync(1000)
    expect(shown()).toMatchObject({ place: cuba, rate: { microUsdPerMinute: 800_000 }, asking: false })
    expect(questions[0]?.signal.aborted).toBe(true)
  })

  test('nor by its failure, after going back to a known one', async () => {
    choosePlace(india)
    choosePlace(unitedStates)
    questions[0]?.fail()
    await vi.advanceTimersByTimeAsync(1000)
    expect(shown()).toEqual(served)
    expect(console.error).not.toHaveBeenCalled()
  })

  test('is remembered', async () => {
    choosePlace(india)
    questions[0]?.answer(known(0.024))
    await settle()
    choosePlace(unitedStates)
    choosePlace(india)
    expect(questions).toHaveLength(1)
    expect(shown().rate).toMatchObject({ microUsdPerMinute: 24_000 })
  })

  test('says nothing of a free call when the answer does not', async () => {
    choosePlace(india)
    questions[0]?.answer(Response.json({ ourRate: 0.03 }))
    await settle()
    expect(shown().rate).toEqual({
      kind: 'known',
      microUsdPerMinute: 30_000,
      freeMinutes: null,
      maxSurchargeMicroUsd: 0,
    })
  })

  test.each([
    ['the server fails', (question: Question) => question.answer(Response.json({}, { status: 503 }))],
    ['the network fails', (question: Question) => question.fail()],
    ['the value is missing', (question: Question) => question.answer(Response.json({ isoCode: 'IN' }))],
    ['the answer is empty', (question: Question) => question.answer(new Response(''))],
    ['the answer is no rate', (question: Question) => question.answer(Response.json(null))],
  ])('falls back to 0.02, as an estimate, when %s; asks again later', async (_, fail) => {
    choosePlace(india)
    for (const question of questions) fail(question)
    await settle()
    expect(shown()).toMatchObject({ rate: { kind: 'estimate', microUsdPerMinute: 20_000 }, asking: false })
    expect(console.error).toHaveBeenCalledOnce()
    healCalculator()
    questions[1]?.answer(known(0.024))
    await settle()
    expect(shown().rate).toMatchObject({ kind: 'known', microUsdPerMinute: 24_000 })
  })

  test('falls back after 8 s without an answer', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
      const late = new AbortController()
      setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), ms)
      return late.signal
    })
    choosePlace(india)
    await vi.advanceTimersByTimeAsync(7999)
    expect(shown().rate.kind).toBe('pending')
    await vi.advanceTimersByTimeAsync(1)
    expect(shown().rate.kind).toBe('estimate')
  })

  test('is unsupported at a 404', async () => {
    choosePlace(cuba)
    questions[0]?.answer(Response.json({ error: { code: 'unsupported_destination' } }, { status: 404 }))
    await settle()
    expect(shown()).toMatchObject({ rate: { kind: 'unsupported' }, asking: false })
  })
})

test('a known rate is not asked for again when the connection comes back', () => {
  healCalculator()
  expect(questions).toEqual([])
})
