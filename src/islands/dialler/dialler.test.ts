import { atom } from 'nanostores'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { exampleCallee as callee } from '#support/example-call.ts'
import { exampleUser } from '#support/example-user.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'
import { emptyDigits } from '#voice/digit-queue-state.ts'

const line = vi.hoisted(() => ({
  $call: undefined as unknown,
  $digits: undefined as unknown,
  callLine: { hangUp: () => undefined, setMuted: () => undefined, sendDigits: () => undefined },
}))
vi.mock('./call/call.ts', () => line)
const $call = atom<Call>(noCall)
const $digits = atom(emptyDigits)
Object.assign(line, { $call, $digits })
const { $user } = await import('#session/user.ts')
const { $session } = await import('#session/session.ts')
const { chooseCountry, followNumber, setNumber } = await import('./number/dial.ts')
const { loadPhoneRules } = await import('#shared/numbers/phone-rules.ts')
const { countryOfIso, defaultCountry } = await import('#lib/numbers/countries.ts')
const { dismissNotice } = await import('./notice.ts')
const { followCaution, typingStopsMs } = await import('./number/follow-caution.ts')
const { followRejection } = await import('./number/follow-rejection.ts')
const { Actions } = await import('./call/Actions.tsx')
const { DigitsPanel } = await import('./call/DigitsPanel.tsx')
const { Address } = await import('./number/Address.tsx')
const { FormattedNumber, LocalTime, NumberType } = await import('./number/FormattedNumber.tsx')
const { RateLine } = await import('./number/RateLine.tsx')
const { StatusLine } = await import('./StatusLine.tsx')
const { Keypad } = await import('#shared/keypad/Keypad.tsx')

const run = (...events: readonly CallEvent[]): Call => events.reduce(step, noCall)
const dialled: CallEvent = { kind: 'dialled', attempt: 1, callee }
const rings: CallEvent = { kind: 'ringing', attempt: 1 }
const answered: CallEvent = { kind: 'answered', attempt: 1, atMs: 0 }
const muted: CallEvent = { kind: 'muted', attempt: 1, muted: true }
const lost: CallEvent = { kind: 'reconnecting', attempt: 1, lost: 'media' }
const ended: CallEvent = { kind: 'ended', attempt: 1, endReason: { kind: 'caller_hung_up' }, atMs: 0 }

let rate: () => Response
vi.stubGlobal('window', new EventTarget())
followNumber()
followCaution()
followRejection()
await loadPhoneRules()

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2025-11-20T12:00:00Z') })
  rate = () => Response.json({ isoCode: 'US', ourRate: 0.0184, kind: 'mobile', freeMinutes: 5 })
  vi.stubGlobal('fetch', async () => rate())
  $session.set({ status: 'signed_in', token: 'a.b.c' })
  $user.set(exampleUser)
  $call.set(noCall)
  dismissNotice()
  chooseCountry(defaultCountry)
  setNumber('')
})
afterEach(() => vi.useRealTimers())

function show<Props extends object>(component: FunctionComponent<Props>, props: Props): string {
  return renderToStaticMarkup(createElement(component, props))
}
const textsOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '|')
    .split(/\|+/)
    .filter(Boolean)
/** The buttons of a piece by their names, and whether each can be pressed. */
function buttons(html: string): Readonly<Record<string, 'enabled' | 'disabled'>> {
  const found = [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].map(
    ([, attributes = '', inner = '']) => {
      const name = /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? textsOf(inner).join('')
      return [name, / disabled/.test(attributes) ? 'disabled' : 'enabled'] as const
    },
  )
  return Object.fromEntries(found)
}
const row = { keypad: false, onKeypad: () => undefined }
const actions = (call: Call) => {
  $call.set(call)
  return buttons(show(Actions, row))
}
/** Enters a number and waits until everything about it is shown. */
async function enter(number: string): Promise<void> {
  setNumber(number)
  await vi.advanceTimersByTimeAsync(typingStopsMs + 500)
}

describe('the row at the foot', () => {
  test('calls when an allowed user has entered a number', () => {
    expect(actions(noCall)).toEqual({
      Contacts: 'enabled',
      Call: 'disabled',
      'Delete last digit': 'disabled',
    })
    setNumber('2')
    expect(actions(noCall)).toEqual({ Contacts: 'enabled', Call: 'enabled', 'Delete last digit': 'enabled' })
    $user.set({ ...exampleUser, can_call: false })
    expect(actions(noCall)).toMatchObject({ Call: 'disabled', 'Delete last digit': 'enabled' })
    $user.set(null)
    expect(actions(noCall)).toMatchObject({ Call: 'enabled' })
  })

  test('does not call a number that is never called, and refers to the reason', () => {
    const call = () => /<button[^>]*id="main-action"[^>]*>/.exec(show(Actions, row))?.[0]
    setNumber('9002345678')
    expect(call()).toMatch(/aria-disabled="true" aria-describedby="number-rate"/)
    expect(call()).not.toMatch(/class="btn [^"]*\bcall\b/)
    expect(textsOf(show(RateLine, {}))[0]).toMatch(/call premium-rate numbers\.$/)
    setNumber('2125550100')
    expect(call()).toMatch(/class="btn [^"]*\bcall\b/)
    expect(call()).not.toContain('aria-disabled="true"')
  })

  test('hangs up while it rings and in the call, where backspace is the microphone', () => {
    setNumber('2125550100')
    for (const call of [run(dialled), run(dialled, rings)])
      expect(actions(call)).toEqual({ Keypad: 'disabled', 'Hang up': 'enabled', Mute: 'disabled' })
    for (const call of [run(dialled, answered), run(dialled, answered, lost)])
      expect(actions(call)).toEqual({ Keypad: 'enabled', 'Hang up': 'enabled', Mute: 'enabled' })
    expect(actions(run(dialled, answered, muted))).toMatchObject({ Muted: 'enabled' })
    expect(actions(run(dialled, answered, ended))).toMatchObject({ Call: 'enabled', Contacts: 'enabled' })
  })

  test('hangs up an account that is restricted in its call', () => {
    $user.set({ ...exampleUser, can_call: false })
    expect(actions(run(dialled, answered))).toMatchObject({ 'Hang up': 'enabled' })
  })

  test('reports whether the keypad is open and the microphone off', () => {
    const pressed = (call: Call, keypad: boolean) => {
      $call.set(call)
      return [...show(Actions, { ...row, keypad }).matchAll(/aria-pressed="(\w+)"/g)].map(
        ([, value]) => value,
      )
    }
    expect(pressed(run(dialled, answered), true)).toEqual(['true', 'false'])
    expect(pressed(run(dialled, answered, muted), false)).toEqual(['false', 'true'])
  })
})

describe('the line of the call’s status', () => {
  const status = (call: Call) => {
    $call.set(call)
    return /<p class="line-status ([^"]*)" role="status"><i><\/i>([^<]*)</
      .exec(show(StatusLine, {}))
      ?.slice(1)
  }

  test('has three texts, and the look of a call only in one', () => {
    expect(status(noCall)).toEqual(['', 'Call Disconnected'])
    expect(status(run(dialled))).toEqual(['ring', 'Ringing'])
    expect(status(run(dialled, rings))).toEqual(['ring', 'Ringing'])
    expect(status(run(dialled, answered))).toEqual(['on', 'In Call'])
    expect(status(run(dialled, answered, lost))).toEqual(['on', 'In Call'])
    expect(status(run(dialled, answered, ended))).toEqual(['', 'Call Disconnected'])
  })
})

describe('the banner', () => {
  const alert = () => /role="alert">(.*?)<\/div><\/div>/s.exec(show(StatusLine, {}))?.[1] ?? ''

  test('is red where calling is restricted, and leads to support', () => {
    $user.set({ ...exampleUser, can_call: false })
    expect(alert()).toMatch(/^<div class="note bad">/)
    expect(textsOf(alert()).join('')).toBe(
      'Your account has been restricted from making calls. Contact support for help.',
    )
    expect(alert()).toMatch(
      /<a href="\/support#happened=Your\+account\+has\+been\+restricted[^"]*">Contact support<\/a>/,
    )
  })

  test('cautions about a risky number once typing stops', async () => {
    setNumber('8765550133')
    await vi.advanceTimersByTimeAsync(typingStopsMs - 50)
    expect(alert()).toBe('')
    await vi.advanceTimersByTimeAsync(50)
    expect(alert()).toMatch(/^<div class="note warn">/)
    expect(textsOf(alert())).toEqual(['Caution: This number may be blocked or fail to connect.'])
  })

  test('says at once that an emergency number is for a telephone, where Call then leads', () => {
    setNumber('911')
    expect(textsOf(alert()).join('')).toContain('does not support calling emergency services')
    const call = show(Actions, row)
    expect(call).toMatch(/<a [^>]*href="tel:911">Use a phone<\/a>/)
    expect(buttons(call)).not.toHaveProperty('Call')
    setNumber('9115')
    expect(alert()).toBe('')
  })
})

describe('whom to call', () => {
  test('is a number in the United States until another country is chosen', () => {
    const html = show(Address, {})
    expect(html).toContain('aria-label="Country: United States +1"')
    expect(html).toContain('src="/flags/us.svg"')
    expect(html).toMatch(/<input[^>]* type="tel"[^>]* placeholder="Enter phone number"/)
    chooseCountry(countryOfIso('CI') ?? defaultCountry)
    expect(textsOf(show(Address, {}))).toEqual(expect.arrayContaining(['Côte d’Ivoire', '+225']))
  })

  test('is called from the public number, or one that is added', () => {
    const [, options = ''] = /<select[^>]*>(.*)<\/select>/s.exec(show(Address, {})) ?? []
    expect(textsOf(options)).toEqual(['Public number', 'Add Caller ID'])
    expect(textsOf(show(Address, {}))).toContain('Call from')
  })
})

test('a number is spaced for reading once the numbering plans are there', async () => {
  const { $formatNumber, loadNumberFormat } = await import('#shared/numbers/number-format.ts')
  expect($formatNumber.get().format('+442079460958', '')).toBe('+442079460958')
  await loadNumberFormat()
  expect($formatNumber.get().format('+442079460958', '')).toBe('+44 20 7946 0958')
})

describe('beneath the number', () => {
  // The number and its kind come in a later piece.
  const price = () =>
    [RateLine, NumberType, FormattedNumber]
      .flatMap(part => textsOf(show(part, {})))
      .filter(text => text !== '\u00a0')

  test('stands its rate with three decimals, the number as it is dialled, and its kind', async () => {
    expect(price()).toEqual(['The rate shows as you type'])
    setNumber('2125550100')
    await vi.advanceTimersByTimeAsync(320)
    expect(price()).toEqual(['$0.018', ' per minute', ', mobile or landline', '+1 212 555 0100'])
  })

  test('stands nothing old while the next rate takes its time', async () => {
    const never = Promise.withResolvers<Response>()
    vi.stubGlobal('fetch', () => never.promise)
    await enter('2125550101')
    expect(price()).toEqual(['…', '+1 212 555 0101'])
    expect(show(RateLine, {})).toContain('aria-busy="true"')
  })

  test('stands what a newcomer talks for nothing', async () => {
    $user.set({ ...exampleUser, has_used_free_call: false })
    await enter('2125550102')
    expect(price()).toContain(' per minute, first 5 min free')
  })

  test('stands what it is; beside the country the time there, and that it is night', async () => {
    rate = () =>
      Response.json({
        isoCode: 'NZ',
        ourRate: 0.03,
        kind: 'landline',
        freeMinutes: 5,
      })
    await enter('+6493791234')
    expect(price().slice(2)).toEqual([', landline', '+64 9 379 1234'])
    expect(textsOf(show(LocalTime, {}))).toEqual(['01:00 there', ', night'])
  })

  test('stands why there is no rate, in its place', async () => {
    await enter('+999123456789')
    expect(price()).toEqual(['This destination is currently not supported.'])
    expect(show(RateLine, {})).toContain('aria-busy="false"')
  })
})

describe('the keypad', () => {
  const keys = (mode: 'call' | 'number') =>
    [
      ...show(Keypad, { mode, onKey: () => undefined, onHoldZero: () => undefined }).matchAll(
        /<button([^>]*)>(.*?)<\/button>/gs,
      ),
    ].map(([, attributes = '', inner = '']) => ({
      shown: textsOf(inner).join('').trim(),
      idle: attributes.includes('aria-disabled="true"'),
    }))

  test('is labelled, and has letters', () => {
    expect(show(Keypad, { mode: 'call', onKey: () => undefined })).toMatch(/role="group" aria-label="Keypad"/)
    expect(keys('call').map(({ shown }) => shown)).toEqual(
      '1,2 ABC,3 DEF,4 GHI,5 JKL,6 MNO,7 PQRS,8 TUV,9 WXYZ,*,0 +,#'.split(','),
    )
  })

  test('has star and hash for menus alone: they are no part of a number', () => {
    const idle = (mode: 'call' | 'number') =>
      keys(mode)
        .filter(key => key.idle)
        .map(({ shown }) => shown)
    expect(idle('call')).toEqual([])
    expect(idle('number')).toEqual(['*', '#'])
  })
})

test('in a call the field is for menus, and shows what has left', () => {
  const call = run(dialled, answered)
  if (call.state !== 'open') return expect.unreachable()
  $digits.set({ ...emptyDigits, sent: '48*', waiting: '#', burst: { sent: 3, total: 4, pauses: 0 } })
  const html = show(DigitsPanel, { call })
  expect(html).toContain('placeholder="Navigate menus (0-9, *, #)"')
  expect(html).toContain('value="48*"')
  expect(textsOf(html)).toContain('+1 212 555 0100')
})
