// @module-tag slow
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { VerificationOutcome } from '#lib/api/verification.ts'
import { inLanguage, openLanguages } from '#server/languages/languages.ts'
import { clip, type Digit } from '#server/telephony/exchange/media/clips.ts'
import { digitPause, digitTone } from '#server/telephony/exchange/media/tones.ts'
import { keyIn, newCode, noEntry } from '#server/telephony/exchange/verification-script.ts'
import { createRunningClock, type MovableClock } from '#support/movable-clock.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { openHandset, pickUp, register, ringing } from './handset-phone.ts'
import { Phone, until, type Wire } from './phone.ts'

const number = '+442071838750'

openLanguages()

let clock: MovableClock
let world: ExchangeWorld
const phones: Phone[] = []
beforeEach(async () => {
  clock = createRunningClock()
  world = await startExchange({ clock })
})
afterEach(async () => {
  await world.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
})

const rateMicroUsd = 20_000

async function verify(to = number): Promise<string> {
  const started = await world.exchange.verifyNumber({ verificationId: 'v-1', number: to, rateMicroUsd })
  if (!started.ok) throw new Error(started.code)
  return started.value.code
}

/** Rings a handset, asked by a page in this language, and picks up there. */
async function answered(language = 'en'): Promise<{
  wire: Wire
  phone: Phone
  code: string
  press: (keys: string) => void
}> {
  const { wire } = await openHandset(world, number)
  const code = await inLanguage(language, () => verify())
  const phone = new Phone(['opus', 'PCMU'])
  phones.push(phone)
  await pickUp(wire, phone)
  await says(phone, 'code', { language })
  return { wire, phone, code, press: keys => wire.send('dtmf', { callsid: 'v-1', dtmf: keys }) }
}

async function saysNothing(phone: Phone): Promise<void> {
  const silent = ({ payload }: Phone['packets'][number]) => payload.every(octet => octet === 0xff)
  await until(() => phone.packets.slice(-25).every(silent), 'the end of the sentence')
}

/** Waits until the beginning of this sentence is heard. */
async function says(
  phone: Phone,
  name: Parameters<typeof clip>[0],
  { from = 0, language = 'en' }: { readonly from?: number; readonly language?: string } = {},
): Promise<void> {
  // Packets before it may be lost or silent: half a second of it distinguishes it from all others.
  const sentence = clip(name, language).subarray(160, 4160)
  await until(
    () => Buffer.concat(phone.packets.slice(from).map(({ payload }) => payload)).includes(sentence),
    `the sentence ${name}`,
  )
}

const wrong = (code: string) => (code === '111111' ? '222222' : '111111')
const outcome = async (): Promise<VerificationOutcome | undefined> => {
  await until(() => world.control.verifications.length > 0, 'the end of the verification')
  expect(world.control.verifications).toHaveLength(1)
  return world.control.verifications[0]?.outcome
}

test('the number rings, shows the public number, and the right code verifies it', async () => {
  const { wire, phone, code, press } = await answered()
  expect(code).toMatch(/^\d{6}$/)
  expect(await ringing(wire)).toMatchObject({
    callsid: 'v-1',
    parameters: { From: '+442079460000', To: number },
  })
  // One key too many does not cut the goodbye short.
  press(`${code}1`)
  expect(await outcome()).toBe('verified')
  await says(phone, 'verified')
  await wire.frame('hangup')
  expect(world.control.events).toEqual([])
  expect(world.exchange.live()).toEqual([])
})

test('speaks the language of the page from the first word to the goodbye', async () => {
  const { phone, code, press } = await answered('fr')
  press(wrong(code))
  await says(phone, 'wrong', { language: 'fr' })
  press(code)
  await says(phone, 'verified', { language: 'fr' })
  expect(await outcome()).toBe('verified')
})

test('asks again after a wrong code, and ends the call after the third', async () => {
  const { wire, phone, code, press } = await answered()
  for (let tries = 0; tries < 2; tries += 1) {
    const from = phone.packets.length
    press(wrong(code))
    await says(phone, 'wrong', { from })
    await says(phone, 'code', { from })
  }
  expect(world.control.verifications).toEqual([])
  const states = world.control.progress.map(({ state }) => state)
  expect(states).toEqual(['answered', 'wrong_code', 'wrong_code'])
  press(wrong(code))
  expect(await outcome()).toBe('wrong_code')
  await wire.frame('hangup')
})

test('the third try may be the right one', async () => {
  const { code, press } = await answered()
  press(wrong(code))
  press(wrong(code))
  press(code)
  expect(await outcome()).toBe('verified')
})

test('digits pressed before anybody answered count for nothing, and so do those of another call', async () => {
  const { wire } = await openHandset(world, number)
  const code = await verify()
  await ringing(wire)
  wire.send('dtmf', { callsid: 'v-1', dtmf: code })
  wire.send('dtmf', { callsid: 'another', dtmf: code })
  wire.send('reject', { callsid: 'v-1' })
  expect(await outcome()).toBe('declined')
})

test('hanging up before the code is complete verifies nothing', async () => {
  const { wire, code, press } = await answered()
  press(code.slice(0, 5))
  wire.send('hangup', { callsid: 'v-1' })
  expect(await outcome()).toBe('hung_up')
})

test('an unanswered call stops ringing after half a minute', async () => {
  const { wire } = await openHandset(world, number)
  await verify()
  await ringing(wire)
  clock.advance(29_000)
  expect(wire.frames.some(frame => frame.type === 'cancel')).toBe(false)
  clock.advance(1500)
  await wire.frame('cancel')
  expect(await outcome()).toBe('no_answer')
})

test('asks a person who answers and presses nothing again, and hangs up in the end', async () => {
  const { wire, phone } = await answered()
  await saysNothing(phone)
  const from = phone.packets.length
  clock.advance(12_000)
  await says(phone, 'code', { from })
  expect(world.control.verifications).toEqual([])
  // The page asks for 90 s whether the number is verified: 30 of them may pass with ringing.
  clock.advance(38_000)
  expect(await outcome()).toBe('no_code')
  await wire.frame('hangup')
})

test('distinguishes a person who keyed in only a wrong code from one who keyed in none', async () => {
  const { phone, code, press } = await answered()
  const from = phone.packets.length
  press(wrong(code))
  await says(phone, 'wrong', { from })
  clock.advance(50_000)
  expect(await outcome()).toBe('wrong_code')
})

test('the code may come as the tones of a keypad, as from any telephone', async () => {
  const { phone, code } = await answered()
  const keys = [...code].flatMap(digit => [...digitTone(digit as Digit), ...digitPause])
  phone.speak(Buffer.concat([...keys, Buffer.alloc(80_000, 0xff)]))
  expect(await outcome()).toBe('verified')
})

test('starts the code again for a person who is asked again while keying', async () => {
  const { phone, code, press } = await answered()
  press('99')
  await saysNothing(phone)
  const from = phone.packets.length
  clock.advance(12_000)
  await says(phone, 'code', { from })
  press(code)
  expect(await outcome()).toBe('verified')
})

test('reports a busy number, one with nobody there, and one that does not exist as such', async () => {
  await openHandset(world, number, 'busy')
  await verify()
  expect(await outcome()).toBe('busy')
  world.control.verifications.length = 0
  await verify('+12125550103')
  expect(await outcome()).toBe('failed')
  world.control.verifications.length = 0
  const { wire } = await openHandset(world, '+442071838751')
  wire.drop()
  await until(() => world.exchange.claims().length === 2, 'the claim')
  await verify('+442071838751')
  expect(['no_answer', 'failed']).toContain(await outcome())
})

test('a handset that is asked for a code is busy for everyone else, and free afterwards', async () => {
  const { wire, code, press } = await answered()
  await world.exchange.verifyNumber({ verificationId: 'v-2', number, rateMicroUsd })
  await until(() => world.control.verifications.length === 1, 'the second')
  expect(world.control.verifications).toEqual([{ verificationId: 'v-2', outcome: 'busy' }])
  press(code)
  await wire.frame('hangup')
  await world.exchange.verifyNumber({ verificationId: 'v-3', number, rateMicroUsd })
  expect(await ringing(wire, 1)).toMatchObject({ callsid: 'v-3' })
})

test('a lost socket is no end: the handset resumes the call and keys the code in', async () => {
  const { wire } = await openHandset(world, number)
  wire.drop()
  const claimed = await openHandset(world, '+442071838752')
  const started = await world.exchange.verifyNumber({
    verificationId: 'v-1',
    number: '+442071838752',
    rateMicroUsd,
  })
  if (!started.ok) throw new Error(started.code)
  const phone = new Phone(['opus', 'PCMU'])
  phones.push(phone)
  await pickUp(claimed.wire, phone)
  await says(phone, 'code')
  const { callsid, reconnect } = await ringing(claimed.wire)
  claimed.wire.drop()
  const again = await register(world.host, claimed.token)
  again.send('invite', { callsid, reconnect, sdp: 'v=0' })
  await again.frame('answer')
  again.send('dtmf', { callsid, dtmf: started.value.code })
  expect(await outcome()).toBe('verified')
})

test('reports again an end that was not accepted', async () => {
  world.control.failures = 2
  const { code, press } = await answered()
  press(code)
  expect(await outcome()).toBe('verified')
  expect(world.log.filter(({ level }) => level === 'error')).toHaveLength(2)
})

test('closing the exchange ends the call, says so, and accepts no more', async () => {
  const { wire } = await answered()
  await world.exchange.close()
  expect(world.control.verifications).toEqual([{ verificationId: 'v-1', outcome: 'failed' }])
  await wire.frame('hangup')
  expect(await world.exchange.verifyNumber({ verificationId: 'v-2', number, rateMicroUsd })).toMatchObject({
    ok: false,
  })
})

test('logs neither number nor code', async () => {
  const { code, press } = await answered()
  press(code)
  await outcome()
  const written = JSON.stringify(world.log)
  expect(written).not.toContain(number.slice(1))
  expect(written).not.toContain(code)
})

test('star and hash restart the code, and a code never carries digits over to the next try', () => {
  const type = (keys: string) => {
    let entry = noEntry
    const steps: string[] = []
    for (const key of keys) {
      const step = keyIn(entry, key as Parameters<typeof keyIn>[1], '123456')
      steps.push(step.kind)
      if (step.kind === 'more' || step.kind === 'wrong') entry = step.entry
    }
    return steps.at(-1)
  }
  expect(type('123456')).toBe('right')
  expect(type('99*123456')).toBe('right')
  expect(type('123#123456')).toBe('right')
  expect(type('0123456')).toBe('more')
  expect(type('999999123456')).toBe('right')
  expect(type('999999999999123456')).toBe('right')
  expect(type('999999999999999999')).toBe('refused')
})

test('a code has six digits, each as likely as any other', () => {
  expect(newCode(() => new Uint8Array([255, 250, 249, 7, 10, 0, 123, 200]))).toBe('970030')
})
