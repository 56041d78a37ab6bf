import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { StartError } from '../../../process/start-error.ts'
import type { MediaAddress } from './media-address.ts'

export interface UnnamedAddress {
  readonly bound: undefined
  readonly ports: MediaAddress['ports']
}

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** Link-local addresses (RFC 3927; RFC 4291, section 2.5.6): the IPv6 ones need an interface name beside them. */
const linkLocal = /^(169\.254\.|fe[89ab])/i
/** Linux and macOS names of networks between programs of this machine, which come and go. */
const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|bridge)/

/**
 * Media addresses, one for each call.
 * @param configured default: an address of this machine, any port
 * @throws StartError when the bound address is not an IP address of this machine
 */
export function mediaAddresses(
  configured: MediaAddress | UnnamedAddress = { bound: undefined, ports: undefined },
): () => MediaAddress {
  if (configured.bound !== undefined) requireOwnAddress(configured.bound)
  return () => resolveAddress(configured)
}

/** The current media address. Unless configured it is chosen for each call: a laptop changes networks. */
export function resolveAddress(
  configured: MediaAddress | UnnamedAddress,
  interfaces: Interfaces = networkInterfaces(),
): MediaAddress {
  if (configured.bound !== undefined) return configured
  const own = chooseOwnAddress(interfaces)
  return { bound: own, advertised: own, ports: configured.ports }
}

/** The system's first interface. Firefox pairs no address with loopback (ADR-47), so that is the last resort. */
function chooseOwnAddress(interfaces: Interfaces): string {
  const candidates = Object.entries(interfaces).flatMap(([name, entries = []]) =>
    entries
      .filter(({ internal, address }) => !internal && !linkLocal.test(address))
      .map(({ address, family }) => ({
        address,
        rank: (virtual.test(name) ? 2 : 0) + (family === 'IPv4' ? 0 : 1),
      })),
  )
  const [best] = candidates.toSorted((a, b) => a.rank - b.rank)
  return best?.address ?? '127.0.0.1'
}

/** A socket bound to a foreign address would fail in the middle of a call, where nothing can catch it. */
function requireOwnAddress(address: string): void {
  const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  if (own.some(entry => entry.address === address)) return
  throw new StartError(
    `EXCHANGE_BIND_ADDRESS ${address} is not an IP address of this machine. Name one that is; behind NAT or in ` +
      'a container, EXCHANGE_ADDRESS is the one that browsers are told.',
  )
}
