import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchLoss } from '#server/telephony/exchange/media/loss-reports.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { listen, openHandset, ringing } from './handset-phone.ts'
import { type MediaProxy, proxyUdp, type Tamper } from './media-proxy.ts'
import { dial, Phone, until, Wire } from './phone.ts'

const number = '+442071838750'

let world: ExchangeWorld
const phones: Phone[] = []
const proxies: MediaProxy[] = []
beforeEach(async () => {
  world = await startExchange()
})
afterEach(async () => {
  await world.close()
  for (const proxy of proxies.splice(0)) proxy.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
})

test('a handset is heard and hears when every DTLS packet of its call arrives twice', async () => {
  const { caller, handset } = await converse(packet => (isDtls(packet) ? [packet, packet] : [packet]))
  await listen(caller, 20, ({ payload }) => payload[0] === 0xbb)
  await listen(handset, 20, ({ payload }) => payload[0] === 0xaa)
})

test('the exchange is the DTLS client towards a handset, and asks for redundancy against loss', async () => {
  const { offer, answer } = await converse(packet => [packet])
  for (const sdp of [offer, answer]) {
    expect(sdp).toMatch(/^a=setup:active\r?$/m)
    expect(sdp).toMatch(/^a=fmtp:\d+ .*useinbandfec=1/m)
  }
  // Of the session, not of the medium, where Firefox does not read it.
  expect(offer).toMatch(/^a=ice-lite\r?\nm=audio /m)
})

test('an answer that leaves no DTLS server fails the call, and nobody pays', async () => {
  const { wire } = await openHandset(world, number)
  await dial(await connect(), number, phone())
  const { callsid, sdp } = await ringing(wire)
  const answer = await phone().reply(sdp)
  wire.send('answer', { callsid, sdp: answer.replace('a=setup:passive', 'a=setup:active') })
  const end = await until(() => world.control.events.find(({ kind }) => kind === 'ended'), 'the end')
  expect(end).toMatchObject({ answeredMs: null, end: 'failed' })
})

test('loss on the way to the listener reaches the speaker, whose browser protects by it', async () => {
  let count = 0
  const lossy: Tamper = (packet, direction) => {
    if (direction === 'to_exchange' || !isRtp(packet)) return [packet]
    count += 1
    return count % 5 === 0 ? [] : [packet]
  }
  const { caller, handset } = await converse(lossy)
  const callerLoss = watchReports(caller)
  const handsetLoss = watchReports(handset)
  // Of what the caller says a tenth is left out before it leaves, a fifth is lost on the way to the handset.
  await until(
    () => callerLoss.some(fraction => fraction > 0.2),
    'a report of more than the first half of the way',
  )
  await until(() => handsetLoss.length > 0, 'a report to the handset')
  expect(Math.max(...handsetLoss)).toBeLessThan(0.2)
}, 20_000)

async function connect(): Promise<Wire> {
  const { token } = await world.exchange.issueVoiceToken('user-1')
  return (await new Wire(world.host).open()).listen(token)
}

function phone(): Phone {
  const made = new Phone(['opus', 'PCMU'])
  phones.push(made)
  return made
}

/** A caller speaks Opus of 0xaa with a handset that speaks 0xbb and has its audio through this path. */
async function converse(tamper: Tamper) {
  const { wire } = await openHandset(world, number)
  const placed = await dial(await connect(), number, phone())
  const handset = phone()
  const { callsid, sdp: offer } = await ringing(wire)
  const proxy = await proxyUdp(offer, tamper)
  proxies.push(proxy)
  wire.send('answer', { callsid, sdp: await handset.reply(proxy.sdp) })
  await placed.wire.frame('answer')
  const { sdp: answer } = await placed.wire.frame('ringing')
  placed.phone.speakOpus(0xaa)
  handset.speakOpus(0xbb)
  return { caller: placed.phone, handset, offer: String(offer), answer: String(answer) }
}

/** Fractions of what the phone sends, 0 to 1, as they are reported lost from now on. */
function watchReports({ connection }: Phone): readonly number[] {
  const fractions: number[] = []
  for (const sender of connection.getSenders()) watchLoss(sender, fraction => fractions.push(fraction))
  return fractions
}

function isDtls(packet: Buffer): boolean {
  const first = packet[0] ?? 0
  return first >= 20 && first <= 63
}

/** RTP, not RTCP (RFC 5761, section 4). */
function isRtp(packet: Buffer): boolean {
  const [first = 0, second = 0] = packet
  return first >= 128 && first <= 191 && !(second >= 192 && second <= 223)
}
