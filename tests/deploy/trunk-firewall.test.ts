import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { whyNoCable } from '#support/bad-network-namespace.ts'
import { findProgram, isMissing } from '#support/program.ts'

const trunk = join(import.meta.dirname, '../../deploy/trunk')

/** Public addresses, which exist in the namespaces alone. */
const [own, gateway] = ['9.9.9.10', '9.9.9.9'] as const
const [ownV6, gatewayV6] = ['2620:fe::10', '2620:fe::9'] as const
const mediaHost = '203.0.113.5'
const ports = [5060, 29_999, 30_000, 39_999]

/** Sends its own destination to each `host port`, and says on one line which of them the kernel let out. */
const sender = `
  const [user, ...targets] = process.argv.slice(1)
  process.setgid(user)
  process.setuid(user)
  const { isIPv6, connect } = require('node:net')
  const { createSocket } = require('node:dgram')
  const sockets = { false: createSocket('udp4'), true: createSocket('udp6') }
  const udp = target => new Promise(resolve => {
    const [host, port] = target.split(' ')
    sockets[isIPv6(host)].send(target, Number(port), host, error => resolve(error ? [] : [target]))
  })
  const tcp = target => new Promise(resolve => {
    const [, host, port] = target.split(' ')
    const socket = connect(Number(port), host)
    socket.on('connect', () => { socket.destroy(); resolve([target]) }).on('error', () => resolve([]))
  })
  Promise.all(targets.map(target => target.startsWith('tcp ') ? tcp(target) : udp(target))).then(out => {
    console.log(JSON.stringify(out.flat()))
    process.exit()
  })
`

/** Writes what arrives, a line each. */
const receiver = `
  const { createSocket } = require('node:dgram')
  const { createServer } = require('node:net')
  const ports = process.argv.slice(1).map(Number)
  let left = ports.length * 2
  const ready = () => { if (--left === 0) console.log('ready') }
  for (const port of ports) {
    createSocket('udp6').on('message', message => console.log(message.toString())).bind(port, ready)
    createServer(socket => socket.destroy()).listen(port, ready)
  }
`

function missing(): boolean {
  const why = whyNoCable()
  if (why !== undefined) console.log(`SKIPPED: ${why}.`)
  return [
    why !== undefined,
    isMissing(findProgram('nft'), 'nft', 'nftables'),
    isMissing(findProgram('rtpengine'), 'rtpengine', 'rtpengine-daemon'),
    isMissing(findProgram('turnserver'), 'coturn', 'coturn'),
  ].includes(true)
}

interface Network {
  /** Sends as this user. @returns which got out, and which of them arrived on the other side */
  send(user: string, targets: readonly string[]): Promise<{ out: string[]; arrived: string[] }>
}

/** A namespace with these rules, and another one that has all the other addresses. */
async function openNetwork(rules: string, addresses: readonly string[]): Promise<Network> {
  const name = `farline-fw${process.pid}`
  const [near, far] = [`${name}a`, `${name}b`] as const
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  for (const end of [near, far]) {
    ip('netns', 'add', end)
    onTestFinished(() => void ip('netns', 'del', end))
    ip('-n', end, 'link', 'set', 'lo', 'up')
  }
  ip('-n', near, 'link', 'add', 'wire', 'type', 'veth', 'peer', 'name', 'wire', 'netns', far)
  for (const [end, v4, v6] of [
    [near, own, ownV6],
    [far, gateway, gatewayV6],
  ] as const) {
    ip('-n', end, 'addr', 'add', `${v4}/24`, 'dev', 'wire')
    ip('-n', end, 'addr', 'add', `${v6}/64`, 'dev', 'wire', 'nodad')
    ip('-n', end, 'link', 'set', 'wire', 'up')
  }
  ip('-n', near, 'route', 'add', 'default', 'via', gateway)
  ip('-n', near, 'route', 'add', 'default', 'via', gatewayV6)
  for (const address of addresses) ip('-n', far, 'addr', 'add', address, 'dev', 'lo')
  const load = () =>
    spawnSync('ip', ['netns', 'exec', near, 'nft', '-f', '-'], { input: rules, encoding: 'utf8' }).stderr
  // The second time replaces the first, as at each start of the unit.
  expect([load(), load()]).toEqual(['', ''])

  const inside = (end: string, script: string, args: readonly string[]) =>
    spawn('ip', ['netns', 'exec', end, process.execPath, '-e', script, '--', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const receiving = inside(far, receiver, ports.map(String))
  onTestFinished(async () => {
    receiving.kill('SIGKILL')
    await once(receiving, 'exit')
  })
  const lines = createInterface({ input: receiving.stdout })[Symbol.asyncIterator]()
  expect(await lines.next()).toMatchObject({ value: 'ready' })
  return {
    send: async (user, targets) => {
      const sending = inside(near, sender, [user, ...targets])
      const [out] = await once(sending.stdout, 'data')
      // What another user sends last arrives last, and is not held up.
      inside(near, sender, ['root', `${gateway} 5060`, `${gatewayV6} 5060`])
      const arrived: string[] = []
      for (let ends = 0; ends < 2; ) {
        const { value = '' } = await lines.next()
        if ([`${gateway} 5060`, `${gatewayV6} 5060`].includes(value)) ends += 1
        else arrived.push(value)
      }
      return { out: JSON.parse(String(out)), arrived }
    },
  }
}

describe.skipIf(missing())('the firewall of a trunk', () => {
  test('lets rtpengine send sound to public addresses and to those that are allowed, and nowhere else', async () => {
    const isPrivate = ['10.0.0.7', '100.100.100.200', '169.254.169.254', '172.16.0.1', '192.168.1.1']
    const isPrivateV6 = ['fd00:ec2::254', '64:ff9b::a00:7', '2002:a00:7::1']
    const isLocal = ['127.0.0.1', '::1', own, ownV6]
    const denied = [...isPrivate, '168.63.129.16', ...isPrivateV6]
    const isAllowed = ['10.20.0.7', 'fd00:20::7']
    const rules = readFileSync(join(trunk, 'media-host.nft'), 'utf8').replaceAll('# elements', 'elements')
    const network = await openNetwork(rules, [...denied, ...isAllowed])
    const to = (host: string) => `${host} 30000`

    const passes = [gateway, gatewayV6, ...isAllowed].map(to)
    const { out, arrived } = await network.send('rtpengine', [...[...denied, ...isLocal].map(to), ...passes])
    expect(out).toEqual(passes)
    expect(new Set(arrived)).toEqual(new Set(passes))

    // Commands and Redis.
    const commands = ['tcp 10.0.0.7 30000', 'tcp fd00:ec2::254 30000']
    expect((await network.send('rtpengine', commands)).out).toEqual(commands)
    // A name that another program looks up.
    const others = denied.map(to)
    expect(new Set((await network.send('root', others)).arrived)).toEqual(new Set(others))
  })

  test('lets coturn send to the ports of sound of the media host, and nowhere else', async () => {
    const rules = readFileSync(join(trunk, 'relay.nft'), 'utf8')
    const network = await openNetwork(rules, [mediaHost, '10.0.0.7'])
    const passes = [`${mediaHost} 30000`, `${mediaHost} 39999`]
    const { out, arrived } = await network.send('turnserver', [
      ...[`${mediaHost} 29999`, `${mediaHost} 5060`],
      ...[`${gateway} 30000`, '10.0.0.7 30000', `${gatewayV6} 30000`, '127.0.0.1 30000'],
      ...passes,
    ])
    expect(out).toEqual(passes)
    expect(new Set(arrived)).toEqual(new Set(passes))
  })
})

test('the ports that a relay may send to are those of rtpengine', () => {
  const settings = readFileSync(join(trunk, 'rtpengine.conf'), 'utf8')
  const [min, max] = ['port-min', 'port-max'].map(
    name => new RegExp(`^${name} = (\\d+)$`, 'm').exec(settings)?.[1],
  )
  expect(readFileSync(join(trunk, 'relay.nft'), 'utf8')).toContain(`define media_ports = ${min}-${max}\n`)
})
