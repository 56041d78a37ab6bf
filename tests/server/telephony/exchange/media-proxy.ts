import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { type AddressInfo, connect, createServer, type Socket as TcpSocket } from 'node:net'

export type Direction = 'to_exchange' | 'to_phone'

/** What becomes of one packet: these are sent in its place, in this order. */
export type Tamper = (packet: Buffer, direction: Direction) => readonly Buffer[]

/** A network path between a phone and the exchange that does to packets what a test wants. */
export interface MediaProxy {
  /** The exchange's description as the phone shall have it: the one path leads through here. */
  readonly sdp: string
  close(): void
}

/** Over UDP: one datagram, one packet. */
export async function proxyUdp(sdp: string, tamper: Tamper): Promise<MediaProxy> {
  const exchangePort = portOf(sdp, 'udp')
  const near = await bindUdp()
  const far = await bindUdp()
  let phonePort: number | undefined
  near.on('message', (packet, { port }) => {
    phonePort = port
    for (const sent of tamper(packet, 'to_exchange')) far.send(sent, exchangePort, '127.0.0.1')
  })
  far.on('message', packet => {
    if (phonePort === undefined) return
    for (const sent of tamper(packet, 'to_phone')) near.send(sent, phonePort, '127.0.0.1')
  })
  return {
    sdp: onlyCandidate(sdp, 'udp', near.address().port),
    close() {
      near.close()
      far.close()
    },
  }
}

/** What a test may do to a TCP path besides: break it, as a network does. */
export interface TcpPath {
  reset(): void
}

/** Over TCP: one frame (RFC 4571), one packet. */
export async function proxyTcp(
  sdp: string,
  tamper: (packet: Buffer, direction: Direction, path: TcpPath) => readonly Buffer[],
): Promise<MediaProxy> {
  const exchangePort = portOf(sdp, 'tcp')
  const open = new Set<TcpSocket>()
  const server = createServer(phone => {
    const exchange = connect(exchangePort, '127.0.0.1')
    const path = { reset: () => exchange.resetAndDestroy() }
    for (const socket of [phone, exchange]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        phone.destroy()
        exchange.destroy()
      })
    }
    passFrames(phone, exchange, packet => tamper(packet, 'to_exchange', path))
    passFrames(exchange, phone, packet => tamper(packet, 'to_phone', path))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    sdp: onlyCandidate(sdp, 'tcp', (server.address() as AddressInfo).port),
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

function passFrames(from: TcpSocket, to: TcpSocket, tamper: (packet: Buffer) => readonly Buffer[]): void {
  let rest: Buffer = Buffer.alloc(0)
  from.on('data', data => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0)
      const packet = rest.subarray(2, end)
      rest = rest.subarray(end)
      for (const sent of tamper(packet)) if (!to.destroyed) to.write(framed(sent))
    }
  })
}

export function framed(packet: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(packet.length)
  return Buffer.concat([length, packet])
}

/** The port of the exchange's one candidate for this transport. */
export function portOf(sdp: string, transport: 'udp' | 'tcp'): number {
  const port = new RegExp(`^a=candidate:\\S+ 1 ${transport} \\d+ \\S+ (\\d+) `, 'm').exec(sdp)?.[1]
  if (port === undefined) throw new Error(`no ${transport} candidate`)
  return Number(port)
}

function onlyCandidate(sdp: string, transport: 'udp' | 'tcp', port: number): string {
  return sdp
    .split('\r\n')
    .filter(line => !line.startsWith('a=candidate:') || line.includes(` 1 ${transport} `))
    .map(line =>
      line.startsWith('a=candidate:')
        ? line.replace(/^(a=candidate:\S+ 1 \S+ \d+) \S+ \d+ /, `$1 127.0.0.1 ${port} `)
        : line,
    )
    .join('\r\n')
}

function bindUdp(): Promise<UdpSocket> {
  const socket = createSocket('udp4')
  return new Promise(resolve => socket.bind(0, '127.0.0.1', () => resolve(socket)))
}
