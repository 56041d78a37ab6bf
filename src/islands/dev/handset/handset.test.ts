import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { failure, success } from '#lib/result.ts'
import type { HandsetLineEvent } from '#voice/handset-port.ts'
import { byItselfMs, createHandset, type HandsetPorts } from './handset-line.ts'
import type { HandsetSettings } from './handset-settings.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const number = '+919876543210'
const caller = '+447700900142'
const granted = (token = 't1') =>
  ({
    ok: true,
    value: { token, ttlSeconds: 600, route: { kind: 'exchange', path: '/exchange' }, number },
  }) as const
const refused = (code: 'number_taken' | 'invalid_number' | 'offline') =>
  ({ ok: false, code, message: '', status: code === 'offline' ? 0 : 409, body: null }) as const

/** An exchange and a sound that the test controls, and that record their requests. */
function openTelephone(ports: Partial<HandsetPorts> = {}, set: Partial<HandsetSettings> = {}) {
  const log: string[] = []
  const settings: HandsetSettings = { number, whenItRings: 'answer', says: 'tone', ...set }
  const tellers: ((event: HandsetLineEvent) => void)[] = []
  const claims: Parameters<HandsetPorts['claim']>[0][] = []
  const telephone = createHandset({
    settings: () => settings,
    claim: async body => {
      claims.push(body)
      return granted(`t${claims.length}`)
    },
    loadHandset: async () => (credential, onEvent) => {
      tellers.push(onEvent)
      log.push(`open ${credential.token}`)
      return {
        answer: () => log.push('answer'),
        decline: () => {
          log.push('decline')
          onEvent({ kind: 'ended', ending: 'declined' })
        },
        hangUp: () => {
          log.push('hang up')
          onEvent({ kind: 'ended', ending: 'hung_up' })
        },
        updateToken: token => log.push(`token ${token}`),
        close: () => log.push('close'),
      }
    },
    openSound: async says => {
      log.push(`sound ${says}`)
      return success({
        // As much of a stream as a telephone touches: the browser's own cannot be had here.
        stream: {} as unknown as MediaStream,
        press: key => log.push(`key ${key}`),
        setMuted: muted => log.push(muted ? 'mute' : 'unmute'),
        close: () => log.push('silence'),
      })
    },
    tryMicrophone: async () => {
      log.push('try the microphone')
      return null
    },
    ring: () => {
      log.push('ring')
      return () => log.push('stop ringing')
    },
    nowMs: () => performance.now(),
    wait: (ms, callback) => {
      setTimeout(callback, ms)
    },
    ...ports,
  })
  const emit = (event: HandsetLineEvent) => tellers.at(-1)?.(event)
  return { telephone, settings, log, claims, tellers, emit, state: () => telephone.$handset.get() }
}

async function waiting(ports: Partial<HandsetPorts> = {}, set: Partial<HandsetSettings> = {}) {
  const all = openTelephone(ports, set)
  await all.telephone.claim()
  all.emit({ kind: 'registered' })
  return all
}

async function talking() {
  const all = await waiting()
  all.emit({ kind: 'ringing', from: caller })
  await all.telephone.answer()
  all.emit({ kind: 'answered' })
  all.emit({ kind: 'sound_passes' })
  return all
}

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
  ] as const)('%s leaves it on the hook as %s', async (code, refusal) => {
    const { telephone, state } = openTelephone({ claim: async () => refused(code) })
    await telephone.claim()
    expect(state()).toEqual({ state: 'on_hook', refusal })
  })

  test('an exchange that never lets it ring is given up after 15 s', async () => {
    const { telephone, state, log } = openTelephone()
    await telephone.claim()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(state().state).toBe('claiming')
    await vi.advanceTimersByTimeAsync(1)
    expect(state()).toEqual({ state: 'on_hook', refusal: 'unreachable' })
    expect(log).toContain('close')
  })

  test('rejects a call that would be answered automatically while the microphone is blocked', async () => {
    const { telephone, state, claims } = openTelephone(
      { tryMicrophone: async () => 'microphone_denied' },
      { whenItRings: 'by_itself', says: 'microphone' },
    )
    await telephone.claim()
    expect(state()).toEqual({ state: 'on_hook', refusal: 'microphone_denied' })
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
    expect(state()).toEqual({ state: 'on_hook', refusal: null })
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
    expect(state()).toEqual({ state: 'on_hook', refusal: 'taken' })
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

describe('a call', () => {
  test('rings until it is answered, then carries the sound that was chosen', async () => {
    const { telephone, emit, log, state } = await waiting({}, { says: 'voice' })
    emit({ kind: 'ringing', from: caller })
    expect(state()).toMatchObject({ state: 'ringing', from: caller })
    await telephone.answer()
    expect(log).toEqual(['open t1', 'ring', 'sound voice', 'answer'])
    emit({ kind: 'answered' })
    expect(log.at(-1)).toBe('stop ringing')
    expect(state()).toMatchObject({ state: 'talking', from: caller })
  })

  test('keeps the keys pressed before the caller can hear any, separately for each call', async () => {
    const { telephone, emit, log } = await waiting()
    for (const from of [caller, caller]) {
      const before = log.length
      emit({ kind: 'ringing', from })
      await telephone.answer()
      emit({ kind: 'answered' })
      telephone.press('4')
      telephone.press('8')
      expect(log.slice(before).filter(line => line.startsWith('key'))).toEqual([])
      emit({ kind: 'sound_passes' })
      telephone.press('2')
      expect(log.slice(before).filter(line => line.startsWith('key'))).toEqual(['key 4', 'key 8', 'key 2'])
      emit({ kind: 'ended', ending: 'they_hung_up' })
    }
  })

  test('is answered once, however often Answer is pressed', async () => {
    const { telephone, emit, log } = await waiting()
    emit({ kind: 'ringing', from: caller })
    await Promise.all([telephone.answer(), telephone.answer()])
    expect(log.filter(entry => entry === 'answer')).toHaveLength(1)
  })

  test('keeps ringing when the microphone is blocked, and can be answered afterwards', async () => {
    let blocked = true
    const { telephone, emit, log, state } = await waiting({
      openSound: async () =>
        blocked
          ? failure('microphone_denied')
          : success({
              stream: {} as unknown as MediaStream,
              press: () => undefined,
              setMuted: () => undefined,
              close: () => undefined,
            }),
    })
    emit({ kind: 'ringing', from: caller })
    await telephone.answer()
    expect(state()).toMatchObject({ state: 'ringing', fault: 'microphone_denied' })
    expect(log).toEqual(['open t1', 'ring'])
    blocked = false
    await telephone.answer()
    expect(log.at(-1)).toBe('answer')
  })

  test('a caller who gives up while the microphone opens is not answered, and it is closed', async () => {
    const { telephone, emit, log } = await waiting()
    emit({ kind: 'ringing', from: caller })
    const answering = telephone.answer()
    emit({ kind: 'ended', ending: 'gave_up' })
    await answering
    expect(log).toEqual(['open t1', 'ring', 'sound tone', 'stop ringing', 'silence'])
  })

  test('is answered by itself after 3 s where that was chosen', async () => {
    const { emit, log } = await waiting({}, { whenItRings: 'by_itself' })
    emit({ kind: 'ringing', from: caller })
    await vi.advanceTimersByTimeAsync(byItselfMs - 1)
    expect(log).not.toContain('answer')
    await vi.advanceTimersByTimeAsync(1)
    expect(log).toContain('answer')
  })

  test('a later call is not answered early by the clock of the one before', async () => {
    const { emit, log } = await waiting({}, { whenItRings: 'by_itself' })
    emit({ kind: 'ringing', from: caller })
    await vi.advanceTimersByTimeAsync(2_000)
    emit({ kind: 'ended', ending: 'gave_up' })
    emit({ kind: 'ringing', from: caller })
    await vi.advanceTimersByTimeAsync(byItselfMs - 1)
    expect(log).not.toContain('answer')
  })

  test('a telephone that never answers is not answered by anyone', async () => {
    const { emit, log } = await waiting({}, { whenItRings: 'never' })
    emit({ kind: 'ringing', from: caller })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(log).toEqual(['open t1', 'ring'])
  })

  test('when the call is declined, the caller learns it and the telephone waits again', async () => {
    const { telephone, emit, log, state } = await waiting()
    emit({ kind: 'ringing', from: caller })
    telephone.decline()
    expect(log).toEqual(['open t1', 'ring', 'decline', 'stop ringing'])
    expect(state()).toMatchObject({ state: 'waiting', last: { ending: 'declined', talkedMs: null } })
  })

  test('keys and mute go to the sound; hanging up ends both', async () => {
    const { telephone, log, state } = await talking()
    log.length = 0
    telephone.press('4#')
    telephone.setMuted(true)
    expect(state()).toMatchObject({ state: 'talking', muted: true })
    await vi.advanceTimersByTimeAsync(5_000)
    telephone.hangUp()
    expect(log).toEqual(['key 4', 'key #', 'mute', 'hang up', 'silence'])
    expect(state()).toMatchObject({ state: 'waiting', last: { ending: 'hung_up', talkedMs: 5_000 } })
    telephone.press('1')
    expect(log).toHaveLength(5)
  })

  test('giving the number up in a call ends it', async () => {
    const { telephone, log, state } = await talking()
    log.length = 0
    telephone.giveUp()
    expect(log).toEqual(['close', 'silence'])
    expect(state()).toEqual({ state: 'on_hook', refusal: null })
  })
})
