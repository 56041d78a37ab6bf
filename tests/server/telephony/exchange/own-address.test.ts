import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import type { MediaAddress } from '#server/telephony/exchange/media/media-address.ts'
import { resolveAddress } from '#server/telephony/exchange/media/own-address.ts'

const unnamed = { bound: undefined, ports: undefined } as const

function entry(address: string, internal = false): NetworkInterfaceInfo {
  const rest = { address, internal, netmask: '', mac: '', cidr: null }
  return address.includes(':') ? { ...rest, family: 'IPv6', scopeid: 0 } : { ...rest, family: 'IPv4' }
}

const lo = [entry('127.0.0.1', true), entry('::1', true)]
const chosen = (interfaces: Record<string, NetworkInterfaceInfo[]>) => resolveAddress(unnamed, interfaces)

test('a named address is taken as it is, with its ports', () => {
  const named: MediaAddress = { bound: '172.17.0.2', advertised: '198.51.100.7', ports: [20_000, 20_100] }
  expect(resolveAddress(named, { lo, eth0: [entry('192.0.2.7')] })).toBe(named)
})

test('without a name it is an address of this machine that is not the loopback one', () => {
  expect(
    resolveAddress({ bound: undefined, ports: [20_000, 20_100] }, { lo, eth0: [entry('192.0.2.7')] }),
  ).toEqual({
    bound: '192.0.2.7',
    advertised: '192.0.2.7',
    ports: [20_000, 20_100],
  })
})

test('IPv4 comes before IPv6, and the first interface of the system before the others', () => {
  const eth0 = [entry('2001:db8::7'), entry('192.0.2.7')]
  expect(chosen({ lo, eth0, wlan0: [entry('198.51.100.7')] }).bound).toBe('192.0.2.7')
  expect(chosen({ lo, eth0: [entry('2001:db8::7')], wlan0: [entry('198.51.100.7')] }).bound).toBe(
    '198.51.100.7',
  )
  expect(chosen({ lo, eth0: [entry('2001:db8::7')] }).bound).toBe('2001:db8::7')
})

test('networks of containers and virtual machines are left alone where there is another', () => {
  const docker0 = [entry('172.17.0.1')]
  expect(chosen({ lo, docker0, eth0: [entry('192.0.2.7')] }).bound).toBe('192.0.2.7')
  expect(chosen({ lo, docker0 }).bound).toBe('172.17.0.1')
})

test('link-local addresses are never chosen, and with nothing else it is the loopback one', () => {
  expect(chosen({ lo, eth0: [entry('169.254.10.1'), entry('fe80::1')] }).bound).toBe('127.0.0.1')
  expect(chosen({ lo }).bound).toBe('127.0.0.1')
})

test('chooses an address of this machine', () => {
  const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  expect(own.map(({ address }) => address)).toContain(resolveAddress(unnamed).bound)
})
