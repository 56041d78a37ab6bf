import { createSocket, type Socket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loseSound } from '#support/bad-network-sound.ts'
import { createStoppedClock, type MovableClock } from '#support/movable-clock.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { invite, Phone, until, Wire } from './phone.ts'

/**
 * The caller's router: a UDP port towards the phone and one towards the exchange, which sees only the
 * latter. With `move` the caller goes on from another port, as after a change of network.
 */
interface Router {
  /** An answer of the exchange as the phone shall have it: our port in place of the exchange's. */
  lead(sdp: string): string
  move(): Promise<number>
  close(): void
}

let clock: MovableClock
let world: ExchangeWorld
let wire: Wire
let phone: Phone
let router: Router
beforeEach(async () => {
  clock = createStoppedClock()
  world = await startExchange({ clock, ttl: 86_400 })
  const { token } = await world.exchange.issueVoiceToken('user-1')
  wire = await (await new Wire(world.host).open()).listen(token)
  phone = new Phone()
  router = await openRouter()
})
afterEach(async () => {
  loseSound(false)
  await world.close()
  await phone.close()
  router.close()
})

test('after 20 s without a packet either way, an ICE restart brings the sound back both ways', async () => {
  const callId = await callTone()
  await fallIntoHole(callId)
  loseSound(false)
  await restartIce(callId)
  await expectSoundBothWays(callId)
  expect(world.exchange.live()).toEqual([callId])
})

test('continues even when the caller comes back from another port than the one it left', async () => {
  const callId = await callTone()
  await fallIntoHole(callId)
  await router.move()
  loseSound(false)
  await restartIce(callId)
  await expectSoundBothWays(callId)
  expect(world.exchange.live()).toEqual([callId])
})

test('a caller who goes on from another port is heard, and hears, without an ICE restart', async () => {
  const callId = await callTone()
  await router.move()
  // The next check of consent tells the new port: every 4 to 6 s (RFC 7675, section 5.1).
  await expectSoundBothWays(callId, 15_000)
  expect(world.exchange.live()).toEqual([callId])
})

test('a gap of a minute ends the call, which costs what was heard before it', async () => {
  const callId = await callTone()
  clock.advance(10_000)
  await sleep(200)
  await fallIntoHole(callId)
  clock.advance(40_000)
  const ended = await until(() => world.control.events.find(event => event.kind === 'ended'), 'the end')
  expect(ended).toMatchObject({ callId, answeredMs: 10_000, end: 'connection_lost' })
})

async function callTone(): Promise<string> {
  await invite(wire, '+12125550100', phone, 'TJS1')
  const { callsid, sdp } = await wire.frame('ringing')
  await phone.accept(router.lead(sdp))
  phone.speak('silence')
  await wire.frame('answer')
  await expectSoundBothWays(callsid)
  return callsid
}

/** 20 s of the server's clock in which nothing passes, and long enough by real time to count as silence. */
async function fallIntoHole(callId: string): Promise<void> {
  loseSound(true)
  await sleep(200)
  const before = received(callId)
  const heardBefore = phone.heard.length
  await sleep(1000)
  clock.advance(20_000)
  await sleep(200)
  expect(received(callId)).toBe(before)
  expect(phone.heard.length).toBe(heardBefore)
}

async function restartIce(callId: string): Promise<void> {
  const answers = wire.frames.filter(({ type }) => type === 'answer').length
  wire.send('reinvite', { callsid: callId, sdp: await phone.offer({ iceRestart: true }) })
  const { sdp } = await wire.frame('answer', answers)
  await phone.accept(router.lead(sdp))
  phone.restartChecks()
}

async function expectSoundBothWays(callId: string, timeoutMs?: number): Promise<void> {
  const heard = phone.heard.length
  const before = received(callId)
  await until(() => phone.heard.length > heard + 25, 'sound from the exchange', timeoutMs)
  await until(() => received(callId) > before + 25, 'sound from the caller', timeoutMs)
}

function received(callId: string): number {
  return world.exchange.observe(callId)?.received.packets ?? 0
}

async function openRouter(): Promise<Router> {
  let phonePort: number | undefined
  let exchangePort: number | undefined
  const inside = await bind()
  let outside = await openOutside()
  inside.on('message', (packet, { port }) => {
    phonePort = port
    if (exchangePort !== undefined) outside.send(packet, exchangePort, '127.0.0.1')
  })

  async function openOutside(): Promise<Socket> {
    const socket = await bind()
    socket.on('message', packet => {
      if (phonePort !== undefined) inside.send(packet, phonePort, '127.0.0.1')
    })
    return socket
  }

  return {
    lead(sdp) {
      const candidate = /^(a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1) (\d+) /m
      exchangePort = Number(candidate.exec(sdp)?.[2])
      return sdp
        .replace(candidate, `$1 ${inside.address().port} `)
        .replace(/^a=candidate:.* tcptype .*\r?\n/gm, '')
    },
    async move() {
      const before = outside
      outside = await openOutside()
      before.close()
      return outside.address().port
    },
    close() {
      inside.close()
      outside.close()
    },
  }
}

async function bind(): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>(bound => socket.bind(0, '127.0.0.1', bound))
  return socket
}
