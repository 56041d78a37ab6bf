// @module-tag slow
import { createSocket } from 'node:dgram'
import { connect as connectTcp } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, test } from 'vitest'
import { type ExchangeRun, runExchange } from '#support/exchange-run.ts'
import { seeded } from '#support/seeded.ts'
import { framed, type MediaProxy, portOf, proxyTcp, proxyUdp, type Tamper } from './media-proxy.ts'
import { call, invite, Phone, until, Wire } from './phone.ts'

const toneNumber = '+12125550100'

let exchange: ExchangeRun
let wire: Wire
const phones: Phone[] = []
const proxies: MediaProxy[] = []
beforeEach(async () => {
  exchange = await runExchange()
  wire = await connectWire()
})
afterEach(async () => {
  for (const proxy of proxies.splice(0)) proxy.close()
  await exchange.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
})

test('a media connection that repeats a DTLS flight and is reset ends its own call at most', async () => {
  for (let count = 0; count < 5; count += 1) {
    const flight: Buffer[] = []
    let repeated = false
    await ring(new Phone('PCMU', { tcp: true }), sdp =>
      proxyTcp(sdp, (packet, direction, path) => {
        if (direction !== 'to_exchange' || !isDtls(packet) || repeated) return [packet]
        flight.push(packet)
        if (!holdsServerHelloDone(packet)) return [packet]
        repeated = true
        setImmediate(() => path.reset())
        return [packet, ...flight]
      }),
    )
    await until(() => repeated, 'the flight')
    await sleep(100)
  }
  await expectTone()
})

test('packets of every kind, cut, changed, doubled and made up, end no process', async () => {
  const random = seeded(20261122)
  for (let count = 0; count < 4; count += 1) {
    const tamper: Tamper = (packet, direction) =>
      direction === 'to_exchange' ? [packet, ...mangle(packet, random)] : [packet]
    const { sdp } = await ring(new Phone('PCMU', { tcp: count % 2 === 1 }), offered =>
      count % 2 === 1 ? proxyTcp(offered, tamper) : proxyUdp(offered, tamper),
    )
    await Promise.all([spray(sdp, random), sprayTcp(sdp, random)])
    await sleep(200)
  }
  await expectTone()
}, 60_000)

test('descriptions of every kind end no process', async () => {
  const random = seeded(42)
  const phone = new Phone()
  phones.push(phone)
  const offer = await phone.offer()
  for (let count = 0; count < 30; count += 1) {
    const own = await connectWire()
    const params = new URLSearchParams({ To: toneNumber }).toString()
    own.send('invite', { callsid: `TJS${count}`, sdp: mangleText(offer, random), twilio: { params } })
    await until(() => own.frames.some(({ type }) => type === 'ringing' || type === 'hangup'), 'an outcome')
    own.drop()
  }
  await expectTone()
}, 60_000)

test('frames of every kind end no process', async () => {
  const random = seeded(7)
  const types = ['listen', 'register', 'invite', 'reinvite', 'hangup', 'dtmf', 'answer', 'reject', 'message']
  for (let count = 0; count < 80; count += 1) {
    const own = await connectWire()
    const type = types[Math.floor(random() * types.length)] ?? 'invite'
    const frame = JSON.stringify({
      type,
      payload: { callsid: 'TJS1', sdp: 'v=0\r\n', dtmf: '1', voiceeventsid: 'KX1', token: 'x' },
      version: '1.6',
    })
    own.socket.send(frame)
    own.socket.send(mangleText(frame, random))
    own.socket.send(Buffer.from(mangleText(frame, random)))
    await sleep(5)
    own.drop()
  }
  await expectTone()
}, 60_000)

async function connectWire(): Promise<Wire> {
  return (await new Wire(exchange.host).open()).listen(await exchange.token())
}

/** A caller who gets through hears the tone: the process lives, and so does its media. */
async function expectTone(): Promise<void> {
  const { phone } = await call(await connectWire(), toneNumber)
  phones.push(phone)
  await until(() => phone.heard.length > 5, 'the tone')
}

/** Rings the tone through a path of the test's own. */
async function ring(phone: Phone, through: (sdp: string) => Promise<MediaProxy>): Promise<{ sdp: string }> {
  phones.push(phone)
  const before = wire.frames.filter(({ type }) => type === 'ringing').length
  await invite(wire, toneNumber, phone, `TJS${before}`)
  const { sdp } = await wire.frame('ringing', before)
  const proxy = await through(sdp)
  proxies.push(proxy)
  await phone.accept(proxy.sdp)
  phone.speak('silence')
  return { sdp }
}

function isDtls(packet: Buffer): boolean {
  const first = packet[0] ?? 0
  return first >= 20 && first <= 63
}

/** The last message of a DTLS server's flight (RFC 5246, section 7.4): in the clear, of type 14. */
function holdsServerHelloDone(packet: Buffer): boolean {
  for (let at = 0; at + 14 <= packet.length; at += 13 + packet.readUInt16BE(at + 11)) {
    if (packet[at] === 22 && packet[at + 13] === 14) return true
  }
  return false
}

/** Mostly nothing; otherwise the packet again, cut short, changed or lengthened. */
function mangle(packet: Buffer, random: () => number): readonly Buffer[] {
  const chance = random()
  if (chance < 0.5) return []
  if (chance < 0.6) return [packet]
  if (chance < 0.75) return [packet.subarray(0, Math.floor(random() * packet.length))]
  const changed = Buffer.from(packet)
  for (let count = 0; count < 1 + random() * 8; count += 1) {
    // The headers, mostly: what is behind them is encrypted or checked as a whole.
    const at = Math.floor(random() * Math.min(changed.length, random() < 0.7 ? 30 : changed.length))
    changed[at] = Math.floor(random() * 256)
  }
  return [chance < 0.95 ? changed : Buffer.concat([changed, changed])]
}

/** Datagrams from unknown senders: one of each kind that a media port distinguishes by the first octet (RFC 7983). */
async function spray(sdp: string, random: () => number): Promise<void> {
  const socket = createSocket('udp4')
  const port = portOf(sdp, 'udp')
  for (let count = 0; count < 400; count += 1) socket.send(madeUp(random), port, '127.0.0.1')
  await sleep(50)
  socket.close()
}

async function sprayTcp(sdp: string, random: () => number): Promise<void> {
  for (let count = 0; count < 4; count += 1) {
    const socket = connectTcp(portOf(sdp, 'tcp'), '127.0.0.1').on('error', () => undefined)
    const binding = Buffer.concat([Buffer.from('000100002112a442', 'hex'), Buffer.alloc(12, count)])
    socket.write(framed(binding))
    for (let sent = 0; sent < 50; sent += 1) socket.write(framed(madeUp(random)))
    await sleep(20)
    socket.resetAndDestroy()
  }
}

function madeUp(random: () => number): Buffer {
  const packet = Buffer.alloc(Math.floor(random() * 200))
  for (let at = 0; at < packet.length; at += 1) packet[at] = Math.floor(random() * 256)
  const kinds = [
    [0, 1],
    [22, 254, 253],
    [20, 254, 253],
    [23, 254, 253],
    [21, 254, 253],
    [128, 0],
    [128, 200],
  ]
  for (const [at, octet] of (kinds[Math.floor(random() * kinds.length)] ?? []).entries()) {
    if (at < packet.length) packet[at] = octet
  }
  if (packet[0] === 0 && packet.length >= 20) packet.writeUInt32BE(0x2112a442, 4)
  if (packet[0] === 22 && packet.length >= 25) {
    packet.writeUInt16BE(0, 3)
    packet.writeUInt16BE(packet.length - 13, 11)
  }
  return packet
}

function mangleText(text: string, random: () => number): string {
  let mangled = text
  for (let count = 0; count < 1 + random() * 3; count += 1) {
    const from = Math.floor(random() * mangled.length)
    const to = from + Math.floor(random() * (random() < 0.5 ? 4 : 60))
    const inserted = ['', '0', '-1', '99999999999', '\r\n', 'a=', '{', '"', '\u0000', '😀'][
      Math.floor(random() * 10)
    ]
    mangled = mangled.slice(0, from) + (inserted ?? '') + mangled.slice(to)
  }
  return mangled
}
