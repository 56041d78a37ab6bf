import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { letIn, openCallPage, turnedAway } from '#support/call-page.ts'
import { exampleUser } from '#support/example-user.ts'
import { type Call, noCall } from '#voice/call.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.doUnmock('#islands/dialler/call/call.ts')
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the press of Call while the session starts', () => {
  test('shows the call at once to whoever has a token, for the number as it was', async () => {
    const page = await openCallPage({ stored: true })
    await page.loadPhoneRules()
    page.setNumber('2125550100')
    const placing = page.placeCall()
    expect(page.placed).toEqual(['+12125550100'])
    page.setNumber('2125550111')
    page.refreshed.resolve(letIn())
    await placing
    expect(page.placed).toEqual(['+12125550100'])
    expect(page.admissions).toEqual([null])
  })

  test('sends whoever turns out to be a visitor to sign up, but not after hanging up', async () => {
    for (const hungUp of [false, true]) {
      const page = await openCallPage({ stored: true })
      await page.loadPhoneRules()
      page.setNumber('2125550100')
      const placing = page.placeCall()
      if (hungUp) page.$call.set(noCall)
      page.refreshed.resolve(turnedAway())
      await placing
      expect(page.admissions).toEqual([{ kind: 'refused', message: 'Sign up to start calling' }])
      expect(page.visited).toEqual(hungUp ? [] : ['/register'])
    }
  })

  test('shows no call to a visitor', async () => {
    const page = await openCallPage({ stored: false })
    await page.loadPhoneRules()
    page.setNumber('2125550100')
    const placing = page.placeCall()
    page.refreshed.resolve(turnedAway())
    await placing
    expect(page.placed).toEqual([])
    expect(page.visited).toEqual(['/register'])
    // Kept here, because what keeps it when a page is left may not be loaded yet.
    expect(JSON.parse(localStorage.getItem('pendingCall') ?? 'null')).toMatchObject({
      country: 'us',
      typed: '2125550100',
      extension: '',
    })
    expect(JSON.parse(sessionStorage.getItem('toast') ?? 'null')).toEqual({
      type: 'info',
      message: 'Sign up to start calling',
    })
  })

  test('does nothing during a call', async () => {
    const page = await openCallPage({ stored: true })
    await page.loadPhoneRules()
    page.setNumber('2125550100')
    page.$call.set({ state: 'ringing' } as Call)
    await page.placeCall()
    expect(page.placed).toEqual([])
  })

  test('uses the number at the press, even if the numbering plans are not loaded yet', async () => {
    const page = await openCallPage({ stored: true })
    page.setNumber('2125550100')
    const placing = page.placeCall()
    page.setNumber('2125550111')
    page.refreshed.resolve(letIn())
    await placing
    expect(page.placed).toEqual(['+12125550100'])
  })

  test('pressed again before anything shows, places the last number and no other', async () => {
    const page = await openCallPage({ stored: true })
    page.setNumber('2125550100')
    const first = page.placeCall()
    page.setNumber('2125550111')
    const second = page.placeCall()
    page.refreshed.resolve(letIn())
    await Promise.all([first, second])
    expect(page.placed).toEqual(['+12125550111'])
  })
})

describe('what a press of Call waits for', () => {
  /** Its server does not answer until released. */
  async function pressSlowly() {
    vi.useFakeTimers()
    const page = await openCallPage({ stored: true, me: exampleUser })
    const { $placing } = await import('./place-call.ts')
    await page.loadPhoneRules()
    const seen: boolean[] = []
    $placing.listen(placing => seen.push(placing))
    page.setNumber('+2347027123456')
    return { ...page, $placing, seen, placing: page.placeCall() }
  }
  afterEach(() => vi.useRealTimers())

  test('shows from 300 ms on, until there is a question, and the same press changes nothing', async () => {
    const page = await pressSlowly()
    await vi.advanceTimersByTimeAsync(299)
    expect(page.$placing.get()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(page.$placing.get()).toBe(true)
    const again = page.placeCall()
    await again
    expect(page.$placing.get()).toBe(true)
    page.refreshed.resolve(letIn())
    await vi.waitFor(() => expect(page.$priceQuestion.get()).not.toBeNull())
    expect(page.$placing.get()).toBe(false)
    const question = page.$priceQuestion.get() ?? expect.fail('nothing was asked')
    page.answerPrice(question, true)
    await page.placing
    expect(page.placed).toEqual(['+2347027123456'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(page.seen).toEqual([true, false])
  })

  test('shows nothing if it is over sooner, and ends with a rejection; then Call can be pressed again', async () => {
    const page = await pressSlowly()
    await vi.advanceTimersByTimeAsync(200)
    page.refreshed.resolve(turnedAway())
    await page.placing
    await vi.advanceTimersByTimeAsync(1000)
    expect(page.seen).toEqual([])
    expect(page.visited).toEqual(['/register'])
    await page.placeCall()
    expect(page.visited).toEqual(['/register', '/register'])
  })
})

describe('the order of checks', () => {
  test('restricted comes before emergency, emergency before the rest', async () => {
    const notices = []
    for (const can_call of [false, true]) {
      const page = await openCallPage({ stored: true, me: { ...exampleUser, can_call } })
      page.refreshed.resolve(letIn())
      const { loadUser } = await import('#session/user.ts')
      await loadUser()
      page.setNumber('911')
      await page.placeCall()
      expect(page.placed).toEqual([])
      notices.push(page.$notice.get())
    }
    expect(notices).toEqual([
      { tone: 'bad', text: expect.stringContaining('restricted from making calls') },
      { tone: 'bad', text: expect.stringContaining('emergency services'), remedy: 'number' },
    ])
  })

  test('a visitor comes before all of them', async () => {
    const page = await openCallPage({ stored: false })
    page.refreshed.resolve(turnedAway())
    page.setNumber('911')
    await page.placeCall()
    expect(page.visited).toEqual(['/register'])
    expect(page.$notice.get()).toBeNull()
  })

  test('the dial code comes before the rest of the number, and nothing of it is placed', async () => {
    const said: unknown[] = []
    for (const number of ['+44999', '+9991', '+99', '2125']) {
      const page = await openCallPage({ stored: true, me: exampleUser })
      page.refreshed.resolve(letIn())
      page.setNumber(number)
      await page.placeCall()
      expect(page.placed).toEqual([])
      said.push(page.$notice.get())
    }
    expect(said).toEqual([
      expect.objectContaining({ text: expect.stringContaining('emergency services') }),
      { tone: 'bad', text: 'This destination is currently not supported.', remedy: 'number' },
      { tone: 'bad', text: 'This number is too short. Check it and try again.', remedy: 'number' },
      {
        tone: 'bad',
        text: 'Unrecognised number. Please check the number and try again.',
        remedy: 'number',
      },
    ])
  })
})
