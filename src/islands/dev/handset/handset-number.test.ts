import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  caller,
  granted,
  number,
  openTelephone,
  refused,
  talking,
  waiting,
} from '#support/handset-telephone.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('claiming a number', () => {
  test('connects with the token that came for it, and waits once it is registered', async () => {
    const { telephone, emit, state, log, claims } = openTelephone()
    const claiming = telephone.claim()
    expect(state()).toEqual({ state: 'claiming', number: null })
    await claiming
    expect(state()).toEqual({ state: 'claiming', number })
    expect(log).toEqual(['open t1'])
    expect(claims).toEqual([{ number, whenCalled: 'ring' }])
    emit({ kind: 'registered' })
    expect(state()).toMatchObject({ state: 'waiting', number })
  })

  test.each([
    ['number_taken', 'taken'],
    ['invalid_number', 'invalid_number'],
    ['offline', 'unreachable'],
  ] as const)('%s leaves it on the hook as %s', async (code, rejection) => {
    const { telephone, state } = openTelephone({ claim: async () => refused(code) })
    await telephone.claim()
    expect(state()).toEqual({ state: 'on_hook', rejection })
  })

  test('an exchange that never lets it ring is given up after 15 s', async () => {
    const { telephone, state, log } = openTelephone()
    await telephone.claim()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(state().state).toBe('claiming')
    await vi.advanceTimersByTimeAsync(1)
    expect(state()).toEqual({ state: 'on_hook', rejection: 'unreachable' })
    expect(log).toContain('close')
  })

  test('rejects a call that would be answered automatically while the microphone is blocked', async () => {
    const { telephone, state, claims } = openTelephone(
      { tryMicrophone: async () => 'microphone_denied' },
      { whenItRings: 'by_itself', says: 'microphone' },
    )
    await telephone.claim()
    expect(state()).toEqual({ state: 'on_hook', rejection: 'microphone_denied' })
    expect(claims).toEqual([])
  })

  test('leaves the microphone alone while another person speaks, and until a call is answered', async () => {
    for (const set of [{ whenItRings: 'by_itself', says: 'voice' }, { says: 'microphone' }] as const) {
      const { log } = await waiting({}, set)
      expect(log).toEqual(['open t1'])
    }
  })

  test('taking another number releases the first one, whose late events change nothing', async () => {
    const { telephone, tellers, log, state } = await waiting()
    await telephone.claim()
    tellers[0]?.({ kind: 'registered' })
    expect(log).toEqual(['open t1', 'close', 'open t2'])
    expect(state().state).toBe('claiming')
  })

  test('a number given up while it is being asked for is not connected', async () => {
    const { telephone, log, state } = openTelephone()
    const claiming = telephone.claim()
    telephone.giveUp()
    await claiming
    expect(log).toEqual([])
    expect(state()).toEqual({ state: 'on_hook', rejection: null })
  })
})

describe('keeping a number', () => {
  test('a number that went to another telephone during a call is lost when the call is over', async () => {
    let answers = 0
    const { telephone, emit, state } = await waiting({
      claim: async () => {
        answers += 1
        return answers === 1 ? granted() : refused('number_taken')
      },
    })
    emit({ kind: 'ringing', from: caller })
    await telephone.answer()
    emit({ kind: 'answered' })
    emit({ kind: 'refused' })
    await vi.advanceTimersByTimeAsync(0)
    expect(state()).toMatchObject({ state: 'talking' })
    emit({ kind: 'ended', ending: 'they_hung_up' })
    await vi.advanceTimersByTimeAsync(3000)
    expect(state()).toEqual({ state: 'lost', number, why: 'taken' })
  })

  test('a telephone whose number another one claimed first learns that the number is taken', async () => {
    const { telephone, emit, state } = openTelephone()
    await telephone.claim()
    emit({ kind: 'refused' })
    expect(state()).toEqual({ state: 'on_hook', rejection: 'taken' })
  })

  test('renews with its token before that runs out, also in a call', async () => {
    for (const open of [waiting, talking]) {
      const { emit, claims, log } = await open()
      emit({ kind: 'token_expiring' })
      await vi.advanceTimersByTimeAsync(0)
      expect(claims[1]).toEqual({ number, whenCalled: 'ring', token: 't1' })
      expect(log).toContain('token t2')
    }
  })

  test('a renewal that gets no answer is tried again, with what was set meanwhile', async () => {
    let answers = 0
    const bodies: unknown[] = []
    const { emit, settings, log } = await waiting({
      claim: async body => {
        bodies.push(body)
        answers += 1
        return answers === 2 ? refused('offline') : granted(`t${answers}`)
      },
    })
    emit({ kind: 'token_expiring' })
    await vi.advanceTimersByTimeAsync(0)
    settings.whenItRings = 'busy'
    await vi.advanceTimersByTimeAsync(3_000)
    expect(bodies[2]).toEqual({ number, whenCalled: 'busy', token: 't1' })
    expect(log).toContain('token t3')
  })

  test('becoming busy keeps the claim and its line', async () => {
    const { telephone, settings, claims, log, state } = await waiting()
    settings.whenItRings = 'busy'
    await telephone.follow()
    expect(claims[1]).toEqual({ number, whenCalled: 'busy', token: 't1' })
    expect(log).toEqual(['open t1', 'token t2'])
    expect(state().state).toBe('waiting')
    await telephone.follow()
    expect(claims).toHaveLength(2)
  })

  test('loses a number that another page has claimed since, and says so', async () => {
    let answers = 0
    const { emit, state, log } = await waiting({
      claim: async () => {
        answers += 1
        return answers === 1 ? granted() : refused('number_taken')
      },
    })
    emit({ kind: 'refused' })
    await vi.advanceTimersByTimeAsync(0)
    expect(state()).toEqual({ state: 'lost', number, why: 'taken' })
    expect(log).toContain('close')
  })

  test('reports while the exchange cannot be reached', async () => {
    const { emit, state } = await waiting()
    emit({ kind: 'unreachable' })
    expect(state()).toMatchObject({ state: 'waiting', reachable: false })
    emit({ kind: 'registered' })
    expect(state()).toMatchObject({ state: 'waiting', reachable: true })
  })
})
