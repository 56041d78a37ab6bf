import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDigitQueue } from './digit-queue.ts'
import { type DigitQueueState, emptyDigits } from './digit-queue-state.ts'
import { insertedText, sendableDigits, typableDigits } from './digits.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function listen() {
  const heard: { readonly digit: string; readonly atMs: number }[] = []
  let state: DigitQueueState = emptyDigits
  const queue = createDigitQueue({
    send: digit => heard.push({ digit, atMs: Date.now() }),
    wait: (ms, callback) => setTimeout(callback, ms),
    onChange: next => {
      state = next
    },
  })
  const text = () => heard.map(({ digit }) => digit).join('')
  const gaps = () => heard.slice(1).map(({ atMs }, index) => atMs - (heard[index]?.atMs ?? 0))
  return { queue, heard, text, gaps, state: () => state }
}

describe('the digit queue', () => {
  test('sends the first digit at once', () => {
    const line = listen()
    line.queue.add('5')
    expect(line.text()).toBe('5')
  })

  test('delivers 1234567890*# typed 60 ms apart whole, in order and at least 300 ms apart', () => {
    const line = listen()
    for (const digit of '1234567890*#') {
      line.queue.add(digit)
      vi.advanceTimersByTime(60)
    }
    vi.runAllTimers()
    expect(line.text()).toBe('1234567890*#')
    expect(Math.min(...line.gaps())).toBeGreaterThanOrEqual(300)
  })

  test('delivers the same text pasted in one piece the same way', () => {
    const line = listen()
    line.queue.add('1234567890*#')
    vi.runAllTimers()
    expect(line.text()).toBe('1234567890*#')
    expect(line.gaps()).toEqual(Array(11).fill(300))
  })

  test('keeps the gap across bursts, however they fall', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[0-9*#]{1,6}$/), fc.nat(900)), { maxLength: 12 }),
        bursts => {
          const line = listen()
          for (const [digits, pause] of bursts) {
            line.queue.add(digits)
            vi.advanceTimersByTime(pause)
          }
          vi.runAllTimers()
          expect(line.text()).toBe(bursts.map(([digits]) => digits).join(''))
          for (const gap of line.gaps()) expect(gap).toBeGreaterThanOrEqual(300)
        },
      ),
      { seed: 23, numRuns: 200 },
    )
  })

  test('makes each w a pause of half a second and never sends it', () => {
    const line = listen()
    line.queue.add('1ww2')
    vi.runAllTimers()
    expect(line.text()).toBe('12')
    expect(line.gaps()).toEqual([300 + 500 + 500])
  })

  test('shows what has left, and how far the burst is', () => {
    const line = listen()
    line.queue.add('48215')
    vi.advanceTimersByTime(650)
    expect(line.state()).toMatchObject({ sent: '482', waiting: '15', burst: { sent: 3, total: 5 } })
    vi.runAllTimers()
    line.queue.add('9')
    expect(line.state()).toMatchObject({ sent: '482159', burst: { sent: 1, total: 1 } })
  })

  test('takes at most 200 waiting digits of a pasted flood, and says how many it left', () => {
    const line = listen()
    line.queue.add('7'.repeat(5000))
    expect(line.state().refused).toBe(4800)
    vi.runAllTimers()
    expect(line.text()).toBe('7'.repeat(200))
  })

  test('can be cancelled: the rest never leaves, and the gap still holds for the next digit', () => {
    const line = listen()
    line.queue.add('123')
    vi.advanceTimersByTime(350)
    line.queue.cancel()
    line.queue.add('9')
    vi.runAllTimers()
    expect(line.text()).toBe('129')
    expect(line.gaps()).toEqual([300, 300])
  })

  test('holds digits back while the line is down and sends them after it is up again', () => {
    const line = listen()
    line.queue.hold()
    line.queue.add('12')
    vi.advanceTimersByTime(5000)
    expect(line.text()).toBe('')
    line.queue.release()
    vi.runAllTimers()
    expect(line.text()).toBe('12')
  })

  test('ignores text without digits', () => {
    const line = listen()
    line.queue.add('hello')
    vi.runAllTimers()
    expect(line.text()).toBe('')
    expect(line.state()).toBe(emptyDigits)
  })
})

describe('an extension', () => {
  test('plays two seconds of pause for each comma, then its digits', () => {
    const line = listen()
    line.queue.play(',,123#')
    expect(line.state()).toMatchObject({
      waiting: ',123#',
      burst: { sent: 0, total: 4, pauses: 2 },
      sending: true,
    })
    vi.advanceTimersByTime(3999)
    expect(line.text()).toBe('')
    vi.advanceTimersByTime(1)
    expect(line.text()).toBe('1')
    vi.runAllTimers()
    expect(line.text()).toBe('123#')
  })

  test('pauses between its digits as well, beside the gap', () => {
    const line = listen()
    line.queue.play('1,2')
    vi.runAllTimers()
    expect(line.gaps()).toEqual([300 + 2000])
  })

  test('cancelled in a pause leaves nothing behind, not even the pause', () => {
    const line = listen()
    line.queue.play('1,,,2')
    vi.advanceTimersByTime(1000)
    line.queue.cancel()
    expect(line.state().sending).toBe(false)
    line.queue.add('9')
    expect(line.text()).toBe('19')
    vi.runAllTimers()
    expect(line.text()).toBe('19')
  })

  test('of nothing but pauses, or none at all, sends nothing', () => {
    const line = listen()
    line.queue.play('')
    line.queue.play(',,')
    vi.runAllTimers()
    expect(line.state()).toBe(emptyDigits)
  })

  test('pasted into the field a comma is no pause', () => {
    const line = listen()
    line.queue.add('1,2')
    vi.runAllTimers()
    expect(line.gaps()).toEqual([300])
  })
})

describe('while digits are under way', () => {
  test('it says so from the first to 300 ms behind the last', () => {
    const line = listen()
    line.queue.add('12')
    expect(line.state().sending).toBe(true)
    vi.advanceTimersByTime(599)
    expect(line.state().sending).toBe(true)
    vi.advanceTimersByTime(1)
    expect(line.state()).toMatchObject({ sending: false, sent: '12' })
  })

  test('nothing is while the line is down, though digits wait', () => {
    const line = listen()
    line.queue.add('123')
    line.queue.hold()
    expect(line.state().sending).toBe(false)
    line.queue.release()
    expect(line.state().sending).toBe(true)
  })

  test('it ends, whatever is added, cancelled, held and released', () => {
    const act = fc.oneof(
      fc.stringMatching(/^[0-9*#]{1,5}$/).map(digits => ['add', digits] as const),
      fc.stringMatching(/^[0-9,]{1,5}$/).map(extension => ['play', extension] as const),
      fc.constantFrom(['cancel'] as const, ['hold'] as const, ['release'] as const),
      fc.nat(3000).map(ms => ['wait', ms] as const),
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25 }), acts => {
        const line = listen()
        for (const [kind, value] of acts) {
          if (kind === 'wait') vi.advanceTimersByTime(value)
          else if (kind === 'add' || kind === 'play') line.queue[kind](value)
          else line.queue[kind]()
          if (line.state().waiting === '' && kind === 'hold') expect(line.state().sending).toBe(false)
        }
        line.queue.release()
        vi.runAllTimers()
        expect(line.state()).toMatchObject({ sending: false, waiting: '' })
        for (const gap of line.gaps()) expect(gap).toBeGreaterThanOrEqual(300)
        expect(line.text()).toMatch(/^[0-9*#]*$/)
      }),
      { seed: 29, numRuns: 300 },
    )
  })
})

describe('what may be sent', () => {
  test('is 0-9, star, hash and w; the field takes no w', () => {
    expect(sendableDigits('+1 (212) 555-0100w*#abc')).toBe('12125550100w*#')
    expect(typableDigits('12w*#')).toBe('12*#')
  })

  test('takes a w only between digits, not out of a word', () => {
    expect(sendableDigits('1ww2 w 3')).toBe('1ww2w3')
    for (const text of ['work', 'www', 'w1', '1w', 'work 5', '5 hours of work']) {
      expect(sendableDigits(text)).not.toContain('w')
    }
    expect(sendableDigits('call 5, work 6')).toBe('56')
  })

  test('includes full-width forms', () => {
    expect(sendableDigits('１２＊＃')).toBe('12*#')
    expect(sendableDigits('٤٢ ४२ ৪২')).toBe('424242')
  })

  test('includes the digits of other scripts, which some keyboards type', () => {
    expect(sendableDigits('٠١٩ ۴۵ ०७#')).toBe('0194507#')
    expect(typableDigits('٣')).toBe('3')
  })
})

describe('what was typed into a field', () => {
  test('is found wherever it was put', () => {
    expect(insertedText('', '5')).toBe('5')
    expect(insertedText('48', '485')).toBe('5')
    expect(insertedText('11', '111')).toBe('1')
    expect(insertedText('48', '4998')).toBe('99')
    expect(insertedText('4821', '7')).toBe('7')
  })

  test('is nothing when something was deleted', () => {
    expect(insertedText('48', '4')).toBe('')
    expect(insertedText('48', '48')).toBe('')
  })
})
