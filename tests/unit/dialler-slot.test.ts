import { describe, expect, test } from 'vitest'
import { type SlotState, slotMessage } from '#islands/dialler/slot-message.ts'
import { type Call, type CallEvent, noCall, step } from '#lib/rules/call.ts'
import { emptyDigits } from '#voice/digit-queue.ts'

const callee = {
  e164: '+12125550100',
  formatted: '+1 212 555 0100',
  extension: '',
  country: { name: 'United States', isoCode: 'US', emoji: '🇺🇸', dialCode: '+1' },
}
const run = (...events: readonly CallEvent[]): Call => events.reduce(step, noCall)
const dialled: CallEvent = { kind: 'dialled', attempt: 1, callee }
const answered: CallEvent = { kind: 'answered', attempt: 1, atMs: 0 }
const muted: CallEvent = { kind: 'muted', attempt: 1, muted: true }
const sending = { ...emptyDigits, sent: '1234', waiting: '56789', burst: { sent: 4, total: 9 } }

const idle: SlotState = {
  call: noCall,
  digits: emptyDigits,
  notice: null,
  restricted: false,
  staleBalance: false,
  lowCredits: false,
  caution: null,
}
const notice = { tone: 'bad', text: 'Nobody answered. Nothing was charged.' } as const

describe('the slot', () => {
  test('is silent when all is well', () => {
    expect(slotMessage(idle)).toBeNull()
    expect(slotMessage({ ...idle, call: run(dialled) })).toBeNull()
    expect(slotMessage({ ...idle, call: run(dialled, answered) })).toBeNull()
  })

  test('says that nothing comes from the other end, until something does', () => {
    const sound = (arriving: boolean): CallEvent => ({ kind: 'sound', attempt: 1, arriving })
    const quiet = { ...idle, digits: sending, call: run(dialled, answered, muted, sound(false)) }
    expect(slotMessage(quiet)).toMatchObject({
      role: 'alert',
      text: 'No sound comes from the other end. Hang up if it stays so.',
    })
    const heard = run(dialled, answered, sound(false), sound(true))
    expect(slotMessage({ ...idle, call: heard })).toBeNull()
    expect(run(dialled, sound(false))).toEqual(run(dialled))
  })

  test('puts a restriction before everything else that is said between calls', () => {
    const message = slotMessage({ ...idle, restricted: true, notice, staleBalance: true })
    expect(message).toMatchObject({
      role: 'alert',
      text: 'Your account has been restricted from making calls. Contact support for help.',
    })
  })

  test('shows a notice until it is dismissed, and only then an old balance', () => {
    expect(slotMessage({ ...idle, notice, staleBalance: true })).toMatchObject({
      text: notice.text,
      action: 'dismiss',
    })
    expect(slotMessage({ ...idle, staleBalance: true })).toMatchObject({
      text: 'Error when fetching credits.',
      action: 'retry_balance',
    })
  })

  test('warns of little credit in a call, and only there; digits under way come first, for a while', () => {
    const low = { ...idle, lowCredits: true, call: run(dialled, answered, muted) }
    expect(slotMessage(low)).toMatchObject({ role: 'alert', text: 'Low credits! Call will end soon.' })
    expect(slotMessage({ ...low, digits: sending })?.action).toBe('cancel_digits')
    const lost: CallEvent = { kind: 'reconnecting', attempt: 1, lost: 'media' }
    expect(slotMessage({ ...low, call: run(dialled, answered, lost) })?.text).toMatch(/Reconnecting/)
    expect(slotMessage({ ...low, call: noCall })).toBeNull()
  })

  test('says beside little credit in a call that nothing was topped up, and between calls why', () => {
    const why = { tone: 'warn', text: 'Your card was declined.', about: 'top_up' } as const
    const low = { ...idle, lowCredits: true, notice: why, call: run(dialled, answered) }
    expect(slotMessage(low)?.text).toBe('Low credits! Call will end soon. Not topped up.')
    expect(slotMessage({ ...low, notice })?.text).toBe('Low credits! Call will end soon.')
    expect(slotMessage({ ...low, lowCredits: false })).toBeNull()
    expect(slotMessage({ ...low, call: noCall })?.text).toBe(why.text)
  })

  test('tells of a microphone that was unplugged, and of the next one', () => {
    const change = (state: 'lost' | 'changed' | 'fine'): CallEvent => ({
      kind: 'microphone',
      attempt: 1,
      state,
    })
    const low = { ...idle, lowCredits: true }
    expect(slotMessage({ ...low, call: run(dialled, answered, change('lost')) })).toMatchObject({
      role: 'alert',
      text: 'No microphone: they cannot hear you.',
    })
    expect(slotMessage({ ...idle, call: run(dialled, answered, change('changed')) })).toMatchObject({
      role: 'status',
      text: 'Another microphone took over.',
    })
    expect(slotMessage({ ...idle, call: run(dialled, answered, change('fine')) })).toBeNull()
  })

  test('cautions about the number in the field where nothing else is to be said', () => {
    const caution = 'Caution: This number may be blocked or fail to connect.'
    expect(slotMessage({ ...idle, caution })).toMatchObject({ tone: 'warn', role: 'alert', text: caution })
    expect(slotMessage({ ...idle, caution, notice })?.text).toBe(notice.text)
    expect(slotMessage({ ...idle, caution, call: run(dialled) })).toBeNull()
  })

  test('offers the telephone where somebody asks for help', () => {
    expect(slotMessage({ ...idle, notice: { ...notice, remedy: 'number', phone: '911' } })).toMatchObject({
      action: 'phone',
      phone: '911',
    })
  })

  test('leaves what is wrong with a number there until the number is changed', () => {
    expect(slotMessage({ ...idle, notice: { ...notice, remedy: 'number' } })?.action).toBeNull()
  })

  test('offers help where the microphone is blocked', () => {
    expect(slotMessage({ ...idle, notice: { ...notice, remedy: 'microphone' } })?.action).toBe(
      'microphone_help',
    )
  })

  test('in a call says first that it reconnects, then what is being sent, then that it is muted', () => {
    const reconnecting: CallEvent = { kind: 'reconnecting', attempt: 1, lost: 'media' }
    const busy = { ...idle, digits: sending }
    expect(slotMessage({ ...busy, call: run(dialled, answered, muted, reconnecting) })).toMatchObject({
      role: 'alert',
      text: 'Reconnecting. Stay on the line.',
    })
    expect(slotMessage({ ...busy, call: run(dialled, answered, muted) })).toMatchObject({
      text: 'Sending 4 of 9',
      action: 'cancel_digits',
    })
    expect(slotMessage({ ...idle, call: run(dialled, answered, muted) })).toMatchObject({
      role: 'status',
      text: 'Muted. They cannot hear you.',
    })
  })

  test('says at once when the line to the service is lost', () => {
    const lost: CallEvent = { kind: 'reconnecting', attempt: 1, lost: 'signalling' }
    expect(slotMessage({ ...idle, call: run(dialled, answered, lost) })?.text).toMatch(/service lost/)
  })

  test('says how many digits of a flood were left out', () => {
    const digits = { ...sending, refused: 4800 }
    expect(slotMessage({ ...idle, digits, call: run(dialled, answered) })?.text).toBe(
      'Sending 4 of 9, 4800 left out',
    )
  })

  test('does not flicker for a few clicked digits', () => {
    const call = run(dialled, answered)
    const few = { ...sending, burst: { sent: 1, total: 2 }, waiting: '2' }
    expect(slotMessage({ ...idle, digits: few, call })).toBeNull()
    expect(slotMessage({ ...idle, digits: { ...sending, waiting: '' }, call })).toBeNull()
  })

  test('keeps its texts short enough for two lines beside In Call', () => {
    const calls = [
      run(dialled, answered, { kind: 'reconnecting', attempt: 1, lost: 'signalling' }),
      run(dialled, answered, { kind: 'reconnecting', attempt: 1, lost: 'media' }),
      run(dialled, answered, muted),
    ]
    for (const call of calls) expect(slotMessage({ ...idle, call })?.text.length).toBeLessThanOrEqual(41)
  })
})
