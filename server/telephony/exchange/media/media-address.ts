import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

/** Where a call's audio is taken, and what the browser is told of it. */
export interface MediaAddress {
  /** IP address of this machine that the sockets are bound to. */
  readonly bound: string
  /** IP address that the browser is told: another one behind NAT or in a container. */
  readonly advertised: string
  /** The ports to take, for UDP and TCP alike, first and last; undefined: any that is free. */
  readonly ports: readonly [number, number] | undefined
}

/** No socket can be had: the address is gone, the ports are used up, or the descriptors are. */
export class NoSocketError extends Error {
  override readonly name = 'NoSocketError'
}

/** One call takes a UDP port and a TCP port, and werift looks at a port with a second socket before it. */
const socketsNeeded = 3

/**
 * Opens and closes as many sockets as a call needs. werift 0.25.2 does not catch the failure of its own
 * bind, which would take the whole process with it; so it is let at the sockets only when they are there.
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

/**
 * The answer as the browser shall have it: our outside address in place of the bound one, and of TCP only
 * the side that listens (RFC 6544): we never dial a browser.
 */
export function advertise(sdp: string, { bound, advertised }: MediaAddress): string {
  const lines = sdp.split('\r\n').filter(line => !/^a=candidate:.* tcptype active/.test(line))
  if (bound === advertised) return lines.join('\r\n')
  return lines
    .map(line => (/^(a=candidate:|c=)/.test(line) ? line.replaceAll(` ${bound}`, ` ${advertised}`) : line))
    .join('\r\n')
}
