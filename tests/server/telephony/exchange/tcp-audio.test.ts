import { type AddressInfo, createServer, connect as openTcp, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tcpBounds } from '#server/telephony/exchange/media/tcp-bounds.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { invite, Phone, until, Wire } from './phone.ts'

let world: ExchangeWorld
let wire: Wire
const phones: Phone[] = []
const servers: Server[] = []
const sockets: Socket[] = []
beforeEach(() => start())
afterEach(async () => {
  await stop()
  for (const server of servers.splice(0)) await new Promise(closed => server.close(closed))
})

test('a caller who can only dial out over TCP hears the exchange and is heard', async () => {
  const { phone, callId } = await ring(new Phone('PCMU', { tcp: true }), 'tcp')
  await wire.frame('answer')
  await until(() => phone.heard.length > 50, 'sound from the exchange')
  await until(() => (world.exchange.observe(callId)?.received.packets ?? 0) > 50, 'sound from the caller')
})

test('rejects what is not STUN, one octet at a time as well', async () => {
  const { port } = await ring()
  const junk = await dialTcp(port)
  junk.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await closed(junk)
  const slow = await dialTcp(port)
  slow.setNoDelay(true)
  const dripping = setInterval(() => slow.write('x'), 10)
  await closed(slow)
  clearInterval(dripping)
})

test('a connection that says nothing is closed', async () => {
  const { port } = await ring()
  await wire.frame('answer')
  const idle = await dialTcp(port)
  await sleep(tcpBounds.firstFrameMs / 2)
  expect(isOpen(idle)).toBe(true)
  await vi.waitFor(() => expect(isOpen(idle)).toBe(false), { timeout: 4 * tcpBounds.firstFrameMs })
}, 30_000)

test('a port accepts a handful of connections, and a caller continues whatever the others do', async () => {
  const { phone, port } = await ring()
  await wire.frame('answer')
  const all = await Promise.all(Array.from({ length: tcpBounds.maxConnections + 20 }, () => dialTcp(port)))
  await until(() => all.filter(isOpen).length === tcpBounds.maxConnections, 'the others to be closed')
  for (const socket of all) socket.resetAndDestroy()
  const heard = phone.heard.length
  await until(() => phone.heard.length > heard + 10, 'more sound')
})

test('with every TCP port in use a call goes over UDP', async () => {
  const first = await takeTcp()
  await takeTcp(first + 1).catch(() => undefined)
  await stop()
  await start([first, first + 1])
  const { phone, port } = await ring()
  expect(port).toBeNaN()
  await wire.frame('answer')
  await until(() => phone.heard.length > 10, 'sound')
})

test('the port is closed with the call', async () => {
  const { port, callId } = await ring()
  wire.send('hangup', { callsid: callId })
  await until(() => world.exchange.live().length === 0, 'the end')
  await vi.waitFor(() => expect(dialTcp(port)).rejects.toThrow('ECONNREFUSED'), 5000)
})

async function start(ports?: readonly [number, number]): Promise<void> {
  world = await startExchange({ address: { bound: '127.0.0.1', advertised: '127.0.0.1', ports } })
  const { token } = await world.exchange.issueVoiceToken('user-1')
  wire = await (await new Wire(world.host).open()).listen(token)
}

async function stop(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy()
  await world.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
}

/** Rings the tone. `port` is the call's TCP port; with `tcp` the phone knows no other. */
async function ring(phone = new Phone(), over: 'tcp' | 'any' = 'any') {
  phones.push(phone)
  await invite(wire, '+12125550100', phone, 'TJS1')
  const { callsid, sdp } = (await wire.frame('ringing')) as { callsid: string; sdp: string }
  await phone.accept(over === 'tcp' ? sdp.replace(/^a=candidate:\S+ 1 udp .*\r?\n/gm, '') : sdp)
  phone.speak('silence')
  const port = Number(/^a=candidate:.* 127\.0\.0\.1 (\d+) typ host tcptype passive/m.exec(sdp)?.[1])
  return { phone, callId: callsid, port }
}

function dialTcp(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = openTcp({ port, host: '127.0.0.1' }, () => resolve(socket))
    sockets.push(socket)
    // A write that meets a closed door is what these tests are about.
    socket.on('error', reject).resume()
  })
}

const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded
const closed = (socket: Socket) => until(() => !isOpen(socket), 'the connection to be closed')
function takeTcp(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      servers.push(server)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
