import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type RealTimeText, textPauseMs } from '#lib/calls/real-time-text.ts'
import { eraseLast, lineSeparator } from '#voice/t140.ts'
import { ackWaitMs, createTextTalk, phrasePauseMs, transcript } from './text-talk.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function begin() {
  const sent: RealTimeText[] = []
  const talk = createTextTalk({
    send: message => sent.push(message),
    wait: (ms, callback) => {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
  })
  talk.setLine('open')
  talk.receive({ received: 0 })
  return { talk, sent, view: () => talk.$text.get() }
}

test('text is offered only in an answered call whose other end shows it', () => {
  const talk = createTextTalk({ send: () => undefined, wait: () => () => undefined })
  talk.receive({ received: 0 })
  expect(talk.$text.get().offered).toBe(false)
  talk.setLine('open')
  expect(talk.$text.get().offered).toBe(false)
  talk.receive({ received: 0 })
  expect(talk.$text.get().offered).toBe(true)
})

test('the first character leaves at once, and the next ones together after a pause', () => {
  const { talk, sent } = begin()
  for (const value of ['H', 'He', 'Hel', 'Hell']) talk.type(value)
  expect(sent).toEqual([{ typed: 'H', from: 0 }])
  vi.advanceTimersByTime(textPauseMs - 1)
  expect(sent).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(sent[1]).toEqual({ typed: 'ell', from: 1 })
  talk.type('Hel')
  vi.advanceTimersByTime(textPauseMs)
  expect(sent[2]).toEqual({ typed: eraseLast, from: 4 })
})

test('what gets no acknowledgement is sent again, and what gets one is not', () => {
  const { talk, sent } = begin()
  talk.type('Hi')
  talk.receive({ received: 2 })
  vi.advanceTimersByTime(2 * ackWaitMs)
  expect(sent).toEqual([{ typed: 'Hi', from: 0 }])
  talk.type('Hi!')
  vi.advanceTimersByTime(ackWaitMs)
  expect(sent.slice(1)).toEqual([
    { typed: '!', from: 2 },
    { typed: '!', from: 2 },
  ])
})

test('without a connection nothing is sent, and with the next one all that may be lost', () => {
  const { talk, sent } = begin()
  talk.type('a')
  talk.setLine('lost')
  talk.type('abc')
  vi.advanceTimersByTime(5 * ackWaitMs)
  expect(sent).toEqual([{ typed: 'a', from: 0 }])
  talk.setLine('open')
  vi.advanceTimersByTime(textPauseMs)
  expect(sent.at(-1)).toEqual({ typed: 'abc', from: 0 })
})

test('each message is acknowledged, one that came before as well', () => {
  const { talk, sent, view } = begin()
  for (let times = 0; times < 2; times += 1) talk.receive({ typed: 'Hello', from: 0 })
  expect(sent).toEqual([{ received: 5 }, { received: 5 }])
  expect(view().typed).toEqual([{ side: 'theirs', text: 'Hello', ended: false }])
})

test('their first characters are unread until the pane is open', () => {
  const { talk, view } = begin()
  talk.receive({ typed: 'H', from: 0 })
  expect(view()).toMatchObject({ unread: true, open: false })
  talk.setOpen(true)
  talk.receive({ typed: 'i', from: 1 })
  expect(view()).toMatchObject({ unread: false, open: true })
})

test('a phrase is complete at a new line or after a pause, never at each character', () => {
  const { talk, view } = begin()
  let from = 0
  const hear = (typed: string) => {
    talk.receive({ typed, from })
    from += [...typed].length
  }
  talk.setOpen(true)
  for (const character of `Hallo${eraseLast.repeat(4)}ello`) hear(character)
  expect(view().phrase.text).toBe('')
  vi.advanceTimersByTime(phrasePauseMs - 1)
  expect(view().phrase).toEqual({ count: 0, text: '' })
  vi.advanceTimersByTime(1)
  expect(view().phrase).toEqual({ count: 1, text: 'Hello' })
  hear(' there')
  hear(lineSeparator)
  expect(view().phrase).toEqual({ count: 2, text: 'there' })
  vi.advanceTimersByTime(2 * phrasePauseMs)
  expect(view().phrase.count).toBe(2)
})

test('what came before the pane is open is a phrase once it is', () => {
  const { talk, view } = begin()
  talk.receive({ typed: 'Hello', from: 0 })
  vi.advanceTimersByTime(2 * phrasePauseMs)
  expect(view().phrase.text).toBe('')
  talk.setOpen(true)
  expect(view().phrase.text).toBe('')
  vi.advanceTimersByTime(phrasePauseMs)
  expect(view().phrase).toEqual({ count: 1, text: 'Hello' })
})

test('the next call begins without the text of the one before, even if nobody cleared it', () => {
  const { talk, sent, view } = begin()
  talk.type('secret')
  talk.setOpen(true)
  talk.setLine('none')
  talk.setLine('open')
  talk.receive({ received: 0 })
  vi.advanceTimersByTime(5 * ackWaitMs)
  expect(sent).toHaveLength(1)
  expect(view()).toMatchObject({ open: false, typed: [] })
})

test('after the call the text stays and takes no more, until it is cleared', () => {
  const { talk, sent, view } = begin()
  talk.type('Bye')
  talk.clear()
  talk.setOpen(true)
  talk.setLine('none')
  talk.type('Bye!')
  talk.receive({ typed: 'late', from: 0 })
  vi.advanceTimersByTime(5 * ackWaitMs)
  expect(sent).toEqual([{ typed: 'Bye', from: 0 }])
  expect(view()).toMatchObject({ offered: false, typed: [{ text: 'Bye' }] })
  talk.clear()
  expect(view()).toMatchObject({ open: false, typed: [] })
  talk.setLine('open')
  talk.type('x')
  expect(sent.at(-1)).toEqual({ typed: 'x', from: 0 })
})

test('the transcript names who typed each line', () => {
  const typed = [
    { side: 'own', text: 'Hello', ended: true },
    { side: 'own', text: '', ended: true },
    { side: 'theirs', text: 'Hi', ended: false },
  ] as const
  expect(transcript(typed, { own: 'You', theirs: 'Rose' })).toBe('You: Hello\nRose: Hi')
})
