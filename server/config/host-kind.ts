import { BlockList, isIP } from 'node:net'
import { isThisMachine } from '../process/this-machine.ts'

export type HostKind = 'this machine' | 'private network' | 'public'

/** Not routed on the internet: RFC 1918, 3927, 4193, 4291 and the shared addresses of RFC 6598. */
const privateAddresses = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv4')
privateAddresses.addSubnet('fc00::', 7, 'ipv6')
privateAddresses.addSubnet('fe80::', 10, 'ipv6')

/** Names that public DNS never resolves: RFC 6761 (test), 6762 (local), 8375 (home.arpa), and ICANN's `internal`. */
const privateName = /(^|\.)(local|internal|test|home\.arpa)$/

/** @param host a name or an address as `URL.hostname` gives it, IPv6 with or without brackets */
export function hostKind(host: string): HostKind {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  if (isThisMachine(name) || name.endsWith('.localhost')) return 'this machine'
  const version = isIP(name)
  if (version !== 0) {
    return privateAddresses.check(name, version === 4 ? 'ipv4' : 'ipv6') ? 'private network' : 'public'
  }
  // A name without a dot is local, such as a container's.
  return privateName.test(name) || !name.includes('.') ? 'private network' : 'public'
}
