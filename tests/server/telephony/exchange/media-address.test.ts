import { createSocket, type Socket } from 'node:dgram'
import { syncBuiltinESMExports } from 'node:module'
import os, { type NetworkInterfaceInfo } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import {
  advertise,
  type MediaAddress,
  NoSocketError,
  requireSockets,
} from '#server/telephony/exchange/media/media-address.ts'
import { resolveAddress, type UnnamedAddress } from '#server/telephony/exchange/media/own-address.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { call, invite, Phone, until, Wire } from './phone.ts'

/** What the exchange sees as this machine's interfaces from now on. */
function seeInterfaces(interfaces: Record<string, NetworkInterfaceInfo[]>): void {
  vi.spyOn(os, 'networkInterfaces').mockReturnValue(interfaces)
  syncBuiltinESMExports()
}

let world: ExchangeWorld | undefined
const phones: Phone[] = []
const taken: Socket[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await world?.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
  for (const socket of taken.splice(0)) socket.close()
})

async function connect(address: MediaAddress | UnnamedAddress): Promise<Wire> {
  world = await startExchange({ address })
  const { token } = await world.exchange.issueVoiceToken('user-1')
  return (await new Wire(world.host).open()).listen(token)
}

/** Takes a UDP port, and gives its number. */
function take(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4').once('error', reject)
    socket.bind(port, '127.0.0.1', () => {
      taken.push(socket)
      resolve(socket.address().port)
    })
  })
}

/** Two ports next to each other that nobody has. */
async function freePair(): Promise<readonly [number, number]> {
  for (;;) {
    const first = await take()
    const found = await take(first + 1).then(
      () => true,
      () => false,
    )
    for (const socket of taken.splice(0)) await new Promise<void>(closed => socket.close(() => closed()))
    if (found) return [first, first + 1]
  }
}

const loopback: MediaAddress = { bound: '127.0.0.1', advertised: '127.0.0.1', ports: undefined }

test('gives the browser the public address in place of the bound one, over UDP and over TCP', async () => {
  const wire = await connect({ ...loopback, advertised: '198.51.100.9' })
  const phone = new Phone()
  phones.push(phone)
  await invite(wire, '+12125550100', phone, 'TJS1')
  const { sdp } = await wire.frame('ringing')
  const candidates = [...sdp.matchAll(/^a=candidate:\S+ 1 (\w+) \d+ (\S+) \d+ typ host(.*)/gm)]
  expect(new Set(candidates.map(([, transport, ip]) => `${transport} ${ip}`))).toEqual(
    new Set(['tcp 198.51.100.9', 'udp 198.51.100.9']),
  )
  expect(sdp).not.toContain('127.0.0.1')
})

const unnamed: UnnamedAddress = { bound: undefined, ports: undefined }

/** The addresses at which an SDP answer says that media is received. */
function offered(sdp: string): readonly string[] {
  return [...new Set(Array.from(sdp.matchAll(/^a=candidate:(?:\S+ ){4}(\S+) /gm), ([, ip = '']) => ip))]
}

test('without a named address sound goes over one of this machine that browsers pair with their own', async () => {
  const { phone } = await call(await connect(unnamed), '+12125550100')
  phones.push(phone)
  expect(offered(phone.connection.remoteDescription?.sdp ?? '')).toEqual([resolveAddress(unnamed).bound])
  await until(() => phone.heard.length > 10, 'sound')
})

test('is chosen again for each call, as a laptop changes its networks', async () => {
  const network = (address: string): NetworkInterfaceInfo[] => [
    { address, family: 'IPv4', internal: false, netmask: '255.0.0.0', mac: '', cidr: null },
  ]
  const wire = await connect(unnamed)
  seeInterfaces({ wlan0: network('127.0.0.2') })
  const first = await call(wire, '+12125550100')
  phones.push(first.phone)
  wire.send('hangup', { callsid: first.callId })
  await until(() => world?.exchange.live().length === 0, 'the end')
  seeInterfaces({ wlan0: network('127.0.0.3') })
  const second = await call(wire, '+12125550100')
  phones.push(second.phone)
  const addresses = [first, second].map(({ phone }) => offered(phone.connection.remoteDescription?.sdp ?? ''))
  expect(addresses).toEqual([['127.0.0.2'], ['127.0.0.3']])
})

test('names only the listening side for TCP: nobody dials a browser', () => {
  const answer = [
    'v=0',
    'a=candidate:1 1 tcp 9 10.0.0.2 9 typ host tcptype active',
    'a=candidate:2 1 tcp 8 10.0.0.2 20000 typ host tcptype passive',
    'c=IN IP4 10.0.0.2',
  ].join('\r\n')
  expect(
    advertise(answer, { ...loopback, bound: '10.0.0.2', advertised: '192.0.2.1' }).split('\r\n'),
  ).toEqual(['v=0', 'a=candidate:2 1 tcp 8 192.0.2.1 20000 typ host tcptype passive', 'c=IN IP4 192.0.2.1'])
})

test('audio stays within the ports that were opened for it', async () => {
  const ports = await freePair()
  const { phone } = await call(await connect({ ...loopback, ports }), '+12125550100')
  phones.push(phone)
  const offeredPorts = [
    ...(phone.connection.remoteDescription?.sdp ?? '').matchAll(/127\.0\.0\.1 (\d+) typ host/g),
  ]
  expect(offeredPorts.length).toBe(2)
  for (const [, port] of offeredPorts) expect(ports).toContain(Number(port))
  await until(() => phone.heard.length > 10, 'sound')
})

test('with every port in use a call fails, the others continue, and the next one succeeds when a port is free', async () => {
  const ports = await freePair()
  const wire = await connect({ ...loopback, ports })
  await take(ports[0])
  const first = await call(wire, '+12125550100')
  phones.push(first.phone)
  const second = new Phone()
  phones.push(second)
  await invite(wire, '+12125550100', second, 'TJS2')
  const refused = await until(
    () => wire.frames.find(({ type, payload }) => type === 'hangup' && payload.callsid === 'TJS2'),
    'a hangup',
  )
  expect(refused.payload.error.code).toBe(31000)
  expect(world?.control.events).toContainEqual({
    kind: 'ended',
    callId: 'call-2',
    answeredMs: null,
    end: 'failed',
  })
  expect(world?.exchange.live()).toEqual([first.callId])
  wire.send('hangup', { callsid: first.callId })
  await until(() => world?.exchange.live().length === 0, 'the end')
  phones.push((await call(wire, '+12125550100')).phone)
})

test('an address that this machine lost is an error to handle, not the end of the process', async () => {
  const gone: MediaAddress = { ...loopback, bound: '203.0.113.7' }
  await expect(requireSockets(gone)).rejects.toThrow(NoSocketError)
})
