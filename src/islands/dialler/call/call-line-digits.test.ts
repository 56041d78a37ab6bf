import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answeredLine, callee, openLine, rate } from '#support/scripted-line.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('a call in progress', () => {
  test('sends digits through the queue, 300 ms apart', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('12')
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toEqual(['digit 1'])
    vi.advanceTimersByTime(300)
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toEqual(['digit 1', 'digit 2'])
    expect(line.$digits.get().sent).toBe('12')
  })

  test('is silent while digits leave, and no longer', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('12')
    expect(voice.log.slice(1)).toEqual(['mute', 'digit 1'])
    vi.advanceTimersByTime(599)
    expect(voice.log).not.toContain('unmute')
    vi.advanceTimersByTime(1)
    expect(voice.log.slice(1)).toEqual(['mute', 'digit 1', 'digit 2', 'unmute'])
    expect(line.$call.get()).toMatchObject({ muted: false })
  })

  test('stays muted where its caller is, before, after and while digits leave', async () => {
    const { line, voice } = await answeredLine()
    line.setMuted(true)
    line.sendDigits('1')
    vi.advanceTimersByTime(1000)
    expect(voice.log.slice(1)).toEqual(['mute', 'digit 1'])
    line.sendDigits('2')
    line.setMuted(false)
    expect(voice.log).not.toContain('unmute')
    vi.advanceTimersByTime(1000)
    expect(voice.log.at(-1)).toBe('unmute')
    line.sendDigits('3')
    line.setMuted(true)
    vi.advanceTimersByTime(1000)
    expect(voice.log.filter(entry => entry === 'unmute')).toHaveLength(1)
  })

  test('can be heard again when the rest is cancelled, and while the line is down', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('12345')
    line.cancelDigits()
    vi.advanceTimersByTime(300)
    expect(voice.log.at(-1)).toBe('unmute')
    line.sendDigits('678')
    voice.say({ kind: 'reconnecting', lost: 'signalling' })
    expect(voice.log.at(-1)).toBe('unmute')
    vi.advanceTimersByTime(1000)
    voice.say({ kind: 'reconnected' })
    expect(voice.log.slice(-2)).toEqual(['mute', 'digit 7'])
    vi.advanceTimersByTime(5000)
    expect(voice.log.at(-1)).toBe('unmute')
  })

  test('begins with an open microphone, whatever the call before it ended in', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('123')
    line.hangUp()
    await line.place({ callee, rate })
    voice.say({ kind: 'answered' })
    line.setMuted(true)
    expect(voice.log.at(-1)).toBe('mute')
  })

  test('plays the extension once what is pressed gets through', async () => {
    const { line, voice } = openLine()
    await line.place({ callee: { ...callee, extension: ',42' }, rate })
    voice.say({ kind: 'answered' })
    vi.advanceTimersByTime(5000)
    expect(voice.log).toHaveLength(1)
    voice.say({ kind: 'sound_passes' })
    expect(line.$digits.get()).toMatchObject({ burst: { total: 2, pauses: 1 }, sending: true })
    vi.advanceTimersByTime(5000)
    expect(voice.log.slice(1)).toEqual(['mute', 'digit 4', 'digit 2', 'unmute'])
    voice.say({ kind: 'ended', endReason: { kind: 'callee_hung_up' } })
    voice.say({ kind: 'sound_passes' })
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toHaveLength(2)
  })

  test('keeps digits while it reconnects', async () => {
    const { line, voice } = await answeredLine()
    voice.say({ kind: 'reconnecting', lost: 'signalling' })
    line.sendDigits('7')
    vi.advanceTimersByTime(2000)
    expect(voice.log).not.toContain('digit 7')
    voice.say({ kind: 'reconnected' })
    expect(voice.log).toContain('digit 7')
  })

  test('drops the digits that still wait when it ends, and the next call starts with none', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('123')
    line.hangUp()
    vi.advanceTimersByTime(2000)
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toEqual(['digit 1'])
    await line.place({ callee, rate })
    expect(line.$digits.get().sent).toBe('')
  })

  test('cancels the digits that still wait', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('123')
    line.cancelDigits()
    vi.advanceTimersByTime(2000)
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toEqual(['digit 1'])
  })
})
