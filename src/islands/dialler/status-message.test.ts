import { describe, expect, onTestFinished, test } from 'vitest'
import { statusLineMaxInCall } from '#lib/calls/status-line.ts'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { exampleCallee as callee } from '#support/example-call.ts'
import { languages } from '#support/languages.ts'
import { type Call, type CallEvent, type MicrophoneState, noCall, step } from '#voice/call.ts'
import { emptyDigits } from '#voice/digit-queue-state.ts'
import { type LineQuality, unknownQuality } from '#voice/quality.ts'
import { type CallNoteState, callNote } from './call/call-note.ts'
import { type StatusState, statusMessage } from './status-message.ts'

const run = (...events: readonly CallEvent[]): Call => events.reduce(step, noCall)
const dialled: CallEvent = { kind: 'dialled', attempt: 1, callee }
const answered: CallEvent = { kind: 'answered', attempt: 1, atMs: 0 }
const muted: CallEvent = { kind: 'muted', attempt: 1, muted: true }
const sending = { ...emptyDigits, sent: '1234', waiting: '56789', burst: { sent: 4, total: 9, pauses: 0 } }

const idle: StatusState = {
  notice: null,
  emergency: null,
  restricted: false,
  unverified: false,
  placing: false,
  obstacle: null,
  caution: null,
}
const quiet: CallNoteState = {
  call: noCall,
  digits: emptyDigits,
  quality: unknownQuality,
  lowCredits: false,
  notToppedUp: false,
  lastMinute: false,
}
const talking = { ...quiet, call: run(dialled, answered) }
const notice = { tone: 'bad', text: 'Nobody answered. Nothing was charged.' } as const

describe('the slot between calls', () => {
  test('is silent when all is well', () => {
    expect(statusMessage(idle)).toBeNull()
  })

  test('says that a press of Call is being worked on, over what was there before', () => {
    expect(statusMessage({ ...idle, placing: true, notice })).toEqual({
      tone: 'info',
      role: 'status',
      text: 'Checking the number and its price…',
      action: null,
    })
  })

  test('asks to confirm the address at once and after a rejected call, but hides no other news', () => {
    const unverified = { ...idle, unverified: true, caution: { kind: 'night', text: 'Night' } as const }
    const asks = {
      tone: 'warn',
      text: 'Please verify your email before making calls.',
      action: 'send_again',
    }
    expect(statusMessage(unverified)).toMatchObject(asks)
    expect(statusMessage({ ...unverified, notice: { tone: 'bad', text: asks.text } })).toMatchObject(asks)
    expect(statusMessage({ ...unverified, notice })).toMatchObject({ text: notice.text })
  })

  test('shows a restriction before everything else between calls', () => {
    const message = statusMessage({ ...idle, restricted: true, notice })
    expect(message).toMatchObject({
      role: 'alert',
      text: 'Your account has been restricted from making calls. Contact support for help.',
    })
  })

  test('shows a notice until it is dismissed', () => {
    expect(statusMessage({ ...idle, notice })).toMatchObject({ text: notice.text, action: 'dismiss' })
  })

  test('offers a top-up where credits would let the call through', () => {
    expect(statusMessage({ ...idle, notice: { ...notice, remedy: 'credits' } })).toMatchObject({
      role: 'alert',
      action: 'top_up',
    })
  })

  test('leaves to screen readers alone what the receipt shows', () => {
    expect(statusMessage({ ...idle, notice: { ...notice, inReceipt: true } })).toMatchObject({
      role: 'status',
      text: notice.text,
      action: null,
      spokenOnly: true,
    })
  })

  test('says why no call can be made here, over all but what was just done', () => {
    expect(statusMessage({ ...idle, obstacle: 'browser_unsupported' })).toEqual({
      tone: 'bad',
      role: 'alert',
      text: "This browser can't make calls. Use Chrome, Edge, Firefox or Safari.",
      action: null,
    })
    expect(statusMessage({ ...idle, obstacle: 'page_insecure' })?.text).toBe(
      'Calls only work on a secure page. Open this address with https://.',
    )
    expect(statusMessage({ ...idle, obstacle: 'page_insecure', notice })?.text).toBe(notice.text)
  })

  test('cautions about the number in the field where nothing else is to be said', () => {
    const caution = {
      kind: 'number',
      text: 'Caution: This number may be blocked or fail to connect.',
    } as const
    expect(statusMessage({ ...idle, caution })).toMatchObject({
      tone: 'warn',
      role: 'alert',
      text: caution.text,
    })
    expect(statusMessage({ ...idle, caution, notice })?.text).toBe(notice.text)
  })

  test('hides a price behind nothing', () => {
    const caution = { kind: 'price', text: '$1.600 a minute, 62× the usual rate.' } as const
    const shown = (about: StatusState['notice']) => statusMessage({ ...idle, caution, notice: about })
    const topUp = { tone: 'warn', text: 'Auto top-up failed.', about: 'top_up' } as const
    expect(shown(topUp)?.text).toBe(caution.text)
    expect(shown(notice)).toMatchObject({ tone: 'warn', text: `${notice.text} ${caution.text}` })
    const long = { tone: 'info', text: 'Call ended. Talked 12:34, charged $20.80 for 13 minutes.' } as const
    expect(shown(long)).toMatchObject({ tone: 'warn', text: caution.text })
    expect(shown({ ...notice, inReceipt: true })).toEqual({
      tone: 'warn',
      role: 'alert',
      text: caution.text,
      action: null,
    })
  })

  test('says what must be done before any call instead of a price', () => {
    const caution = { kind: 'price', text: '$1.600 a minute, 62× the usual rate.' } as const
    const blocked = {
      ...notice,
      text: 'The microphone is blocked. Allow it in the browser.',
      remedy: 'microphone',
    } as const
    expect(statusMessage({ ...idle, caution, notice: blocked })).toMatchObject({
      text: blocked.text,
      action: 'microphone_help',
    })
  })

  test('mentions quietly that people sleep there, when nothing else is to be said', () => {
    const spoken = "It's 03:38 in India. They may be asleep."
    const caution = { kind: 'night', text: "It's 03:40 in India. They may be asleep.", spoken } as const
    expect(statusMessage({ ...idle, caution })).toEqual({
      tone: 'info',
      role: 'status',
      text: caution.text,
      spoken,
      action: null,
    })
  })

  test('says at once that an emergency number is for a telephone', () => {
    const emergency = 'Farline does not support calling emergency services. Please use another phone.'
    expect(statusMessage({ ...idle, emergency, notice })).toMatchObject({
      role: 'alert',
      text: emergency,
    })
    expect(statusMessage({ ...idle, emergency, restricted: true })?.text).toMatch(/restricted/)
  })

  test('leaves what is wrong with a number there until the number is changed', () => {
    expect(statusMessage({ ...idle, notice: { ...notice, remedy: 'number' } })?.action).toBeNull()
  })

  test('offers help where the microphone is blocked', () => {
    expect(statusMessage({ ...idle, notice: { ...notice, remedy: 'microphone' } })?.action).toBe(
      'microphone_help',
    )
  })
})

describe('the slot in a call', () => {
  const poor = (fault: LineQuality['fault']): LineQuality => ({ ...unknownQuality, grade: 'poor', fault })
  const mute: LineQuality = { ...unknownQuality, grade: 'good', microphoneSilent: true }
  const text = (state: Partial<CallNoteState>, ...events: readonly CallEvent[]) =>
    callNote({ ...quiet, call: run(dialled, answered, ...events), ...state })?.text
  const lost = (what: 'media' | 'signalling'): CallEvent => ({ kind: 'reconnecting', attempt: 1, lost: what })
  const sound = (arriving: boolean): CallEvent => ({ kind: 'sound', attempt: 1, arriving })
  const microphone = (state: MicrophoneState): CallEvent => ({
    kind: 'microphone',
    attempt: 1,
    state,
  })

  test('is silent when all is well, and before the answer', () => {
    expect(callNote(talking)).toBeNull()
    expect(callNote({ ...quiet, call: run(dialled), lowCredits: true })).toBeNull()
    expect(callNote({ ...quiet, lowCredits: true, digits: sending })).toBeNull()
  })

  test('says that nothing comes from the other end, until something does', () => {
    const call = run(dialled, answered, muted, sound(false))
    expect(callNote({ ...quiet, digits: sending, call })).toMatchObject({
      role: 'alert',
      text: 'No sound from them. Hang up if it lasts.',
    })
    expect(text({}, sound(false), sound(true))).toBeUndefined()
    expect(run(dialled, sound(false))).toEqual(run(dialled))
  })

  test('says first that it reconnects, then what is being sent, then that it is muted', () => {
    const call = run(dialled, answered, muted, lost('media'))
    expect(callNote({ ...quiet, digits: sending, call })).toMatchObject({
      role: 'alert',
      text: 'Reconnecting. Stay on the line.',
    })
    expect(callNote({ ...quiet, digits: sending, call: run(dialled, answered, muted) })).toMatchObject({
      text: 'Sending 4 of 9. Microphone off.',
      action: 'cancel_digits',
    })
    expect(callNote({ ...quiet, call: run(dialled, answered, muted) })).toMatchObject({
      role: 'status',
      text: "Muted. They can't hear you.",
    })
  })

  test('says at once that the line to the service is lost', () => {
    expect(text({}, lost('signalling'))).toMatch(/lost the connection/)
  })

  test('warns of little credit; digits under way come first, for a while', () => {
    const low = { lowCredits: true }
    expect(callNote({ ...talking, ...low })).toMatchObject({
      role: 'alert',
      text: 'Low credits! Call will end soon.',
      action: 'top_up',
    })
    expect(text({ ...low, digits: sending })).toMatch(/^Sending/)
    expect(text(low, lost('media'))).toMatch(/Reconnecting/)
    expect(text({ ...low, notToppedUp: true })).toBe('Top-up failed. Call will end soon.')
    expect(text({ notToppedUp: true })).toBeUndefined()
  })

  test('reports an unplugged microphone, and the next one', () => {
    expect(
      callNote({ ...quiet, lowCredits: true, call: run(dialled, answered, microphone('lost')) }),
    ).toMatchObject({
      role: 'alert',
      text: "No microphone: they can't hear you.",
    })
    expect(callNote({ ...quiet, call: run(dialled, answered, microphone('changed')) })).toMatchObject({
      role: 'status',
      text: 'Switched to another microphone.',
    })
    expect(text({}, microphone('fine'))).toBeUndefined()
  })

  test('says what happened to the sound and what to press, before digits and low credits', () => {
    for (const state of ['interrupted', 'lost'] as const)
      expect(
        callNote({
          ...quiet,
          digits: sending,
          lowCredits: true,
          call: run(dialled, answered, microphone(state)),
        }),
      ).toMatchObject({ role: 'alert', action: 'resume' })
    expect(text({}, microphone('interrupted'))).toBe('The sound was interrupted.')
  })

  test('reports a silent microphone, before everything that can wait', () => {
    expect(callNote({ ...talking, quality: mute, lowCredits: true })).toMatchObject({
      role: 'alert',
      text: 'They may not hear you. Check your mic.',
    })
    expect(text({ quality: mute }, sound(false))).toMatch(/^No sound/)
  })

  test('reports quietly a microphone that has worked before, and still before low credits', () => {
    const worked = { ...mute, microphoneWorked: true }
    for (const lowCredits of [false, true])
      expect(callNote({ ...talking, quality: worked, lowCredits })).toMatchObject({
        role: 'status',
        text: 'They may not hear you. Check your mic.',
      })
    expect(text({ quality: worked, digits: sending })).toMatch(/^Sending/)
  })

  test('announces quietly, once, that the last minute has begun, unless low credits say that the call ends', () => {
    const last = { lastMinute: true }
    expect(callNote({ ...talking, ...last })).toEqual({
      tone: 'info',
      role: 'status',
      icon: 'info',
      text: 'Less than 1 minute left.',
      action: null,
    })
    expect(text({ ...last, lowCredits: true })).toMatch(/^Low credits/)
    expect(text({ ...last, quality: { ...mute, microphoneWorked: true } })).toMatch(/^They may not hear/)
    expect(text({ ...last, quality: poor('loss') }, muted, microphone('changed'))).toMatch(/^Less than 1/)
    expect(callNote({ ...quiet, ...last })).toBeNull()
  })

  test('announces digits under way in one sentence that stays', () => {
    const spoken = (sent: number) =>
      callNote({ ...talking, digits: { ...sending, burst: { sent, total: 9, pauses: 0 } } })?.spoken
    expect([spoken(4), spoken(5)]).toEqual(Array(2).fill('Sending digits. Microphone off.'))
  })

  test('shows a short extension without pauses while it is played', () => {
    const short = { ...emptyDigits, sent: '1', waiting: '2', burst: { sent: 1, total: 2, pauses: 0 } }
    const call = run({ ...dialled, callee: { ...callee, extension: '12' } }, answered)
    expect(text({ digits: short, call })).toBe('Sending 1 of 2. Microphone off.')
  })

  test('says how to improve a poor line, without interrupting, and only when nothing else is to be said', () => {
    for (const fault of ['loss', 'sent_loss', 'jitter', 'round_trip'] as const) {
      expect(callNote({ ...talking, quality: poor(fault) })).toMatchObject({ tone: 'warn', role: 'status' })
      expect(text({ quality: { ...poor(fault), grade: 'weak' } })).toBeUndefined()
      expect(text({ quality: poor(fault) }, muted)).toMatch(/^Muted/)
    }
    expect(text({ quality: poor('silence') })).toBeUndefined()
  })

  test('says how many digits of a flood were left out', () => {
    expect(text({ digits: { ...sending, refused: 4800 } })).toBe('Sending 4 of 9, 4800 left out')
  })

  test('does not flicker for a few clicked digits, and shows a short extension with pauses', () => {
    const few = { ...sending, burst: { sent: 1, total: 2, pauses: 0 }, waiting: '2' }
    expect(text({ digits: few })).toBeUndefined()
    expect(text({ digits: { ...sending, waiting: '' } })).toBeUndefined()
    const extension = { ...emptyDigits, waiting: ',,12', burst: { sent: 0, total: 2, pauses: 2 } }
    expect(text({ digits: extension })).toBe('Sending 0 of 2. Microphone off.')
  })

  test.each([sourceLanguage, ...languages.map(({ tag }) => tag)])(
    'in %s keeps its texts short enough for two lines beside In Call',
    language => {
      renderIn(language)
      onTestFinished(() => renderIn(sourceLanguage))
      const texts = [
        text({}, lost('signalling')),
        text({}, lost('media')),
        text({}, muted),
        text({ digits: sending }),
        text({ digits: { ...sending, burst: { sent: 998, total: 999, pauses: 0 } } }),
        text({ digits: { ...sending, refused: 4800 } }),
        text({ lastMinute: true }),
        text({ lowCredits: true }),
        text({ lowCredits: true, notToppedUp: true }),
        text({}, sound(false)),
        text({}, microphone('lost')),
        text({}, microphone('interrupted')),
        text({}, microphone('changed')),
        text({ quality: mute }),
        callNote({ ...quiet, call: run(dialled), asksMicrophone: true })?.text,
        ...(['loss', 'sent_loss', 'jitter', 'round_trip'] as const).map(fault =>
          text({ quality: poor(fault) }),
        ),
      ]
      // Marks above and below a letter, and what sets a direction, take no room of their own.
      const long = texts.filter(
        said => (said?.replace(/[\p{M}\p{Cf}]/gu, '').length ?? 0) > statusLineMaxInCall,
      )
      expect(texts).not.toContain(undefined)
      expect(long).toEqual([])
    },
  )
})
