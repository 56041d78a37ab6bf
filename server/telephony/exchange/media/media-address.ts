import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

export interface MediaAddress {
  readonly bound: string
  /** IP address sent to the browser; differs behind NAT or in a container. */
  readonly advertised: string
  /** First and last port to use, for UDP and TCP alike; undefined: any free one. */
  readonly ports: readonly [number, number] | undefined
}

/** No socket can be opened: the address is gone, or ports or file descriptors are used up. */
export class NoSocketError extends Error {
  override readonly name = 'NoSocketError'
}

/** A call takes a UDP port and a TCP port, and werift probes a port with another socket first. */
const socketsNeeded = 3

/**
 * Tries whether as many sockets as a call needs can be opened, before werift opens its own: a failed bind in werift
 * 0.25.2 ends the process.
 * @throws NoSocketError
 */
export async function requireSockets(address: MediaAddress): Promise<void> {
  const probes: (() => Promise<void>)[] = []
  try {
    for (let count = 0; count < socketsNeeded; count += 1) probes.push(await openProbe(address.bound, 0))
    if (address.ports !== undefined) probes.push(await openAnyOf(address.bound, address.ports))
  } finally {
    await Promise.all(probes.map(close => close()))
  }
}

async function openAnyOf(ip: string, [first, last]: readonly [number, number]): Promise<() => Promise<void>> {
  for (let port = first; port <= last; port += 1) {
    try {
      return await openProbe(ip, port)
    } catch (error) {
      if (!(error instanceof NoSocketError)) throw error
    }
  }
  throw new NoSocketError(`no UDP port from ${first} to ${last} is free`)
}

function openProbe(ip: string, port: number): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4')
    socket.once('error', error => {
      socket.close()
      reject(new NoSocketError(error.message))
    })
    socket.bind({ port, address: ip, exclusive: true }, () => {
      resolve(() => new Promise(closed => socket.close(() => closed())))
    })
  })
}

/** Names the advertised address, and only the passive side of TCP (RFC 6544): we never connect to a browser. */
export function advertise(sdp: string, { bound, advertised }: MediaAddress): string {
  const lines = sdp.split('\r\n').filter(line => !/^a=candidate:.* tcptype active/.test(line))
  if (bound === advertised) return lines.join('\r\n')
  return lines
    .map(line => (/^(a=candidate:|c=)/.test(line) ? line.replaceAll(` ${bound}`, ` ${advertised}`) : line))
    .join('\r\n')
}
