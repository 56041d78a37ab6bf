import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { failure, success } from '#lib/result.ts'
import { caller, talking, waiting } from '#support/handset-telephone.ts'
import { byItselfMs } from './handset-line.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

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
    expect(state()).toEqual({ state: 'on_hook', rejection: null })
  })
})
