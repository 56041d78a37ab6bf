import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createTurnClient } from 'werift'
import { relayFor } from '#server/telephony/trunk/relay.ts'
import { ended, relayIsMissing, startRelay } from '#support/trunk/relay.ts'
import { closeAfterwards } from '#support/trunk/world.ts'

const secret = 'a secret of this test'
const mediaHost = '127.0.0.7'

async function openRelay(): Promise<number> {
  const { port, close } = await startRelay({ secret, mediaHost })
  closeAfterwards(close)
  return port
}

/** Where sound would go: what comes is sent back. @returns its port */
async function openPeer(host: string): Promise<number> {
  const socket = createSocket('udp4').bind(0, host)
  await once(socket, 'listening')
  socket.on('message', (message, from) => socket.send(message, from.port, from.address))
  closeAfterwards(async () => void socket.close())
  return socket.address().port
}

/** Sends a few packets over TLS to a peer. @returns what coturn's own client says */
async function relay(port: number, peer: string, withSecret: string): Promise<string> {
  const to = ['-e', peer, '-r', String(await openPeer(peer))]
  const messages = ['-c', '-n', '3', '-m', '1', '-W', withSecret]
  const child = spawn('turnutils_uclient', ['-t', '-S', '-p', String(port), ...to, ...messages, '127.0.0.1'])
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => said.push(data))
  const giveUp = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended(child)
  clearTimeout(giveUp)
  return Buffer.concat(said).toString()
}

/** Asks for a relayed address, as the page of this account would at this time, and keeps it. @returns coturn's error, otherwise undefined */
async function allocate(port: number, userId: string, at: Date): Promise<string | undefined> {
  const { username, credential: password } = relayFor({ addresses: [], secret }, userId, at)
  const config = { address: ['127.0.0.1', port] as const, username, password }
  try {
    const client = await createTurnClient(config, { transport: 'tcp' })
    closeAfterwards(() => client.close())
    return undefined
  } catch (error) {
    const said = error instanceof Error && 'str' in error ? error.str : error
    return String(said)
  }
}

describe.skipIf(relayIsMissing())('a relay for networks that let only TLS through', () => {
  test('relays sound to the media host, and to nobody else', async () => {
    const port = await openRelay()
    expect(await relay(port, mediaHost, secret)).toMatch(/tot_recv_msgs=3/)
    const refused = await relay(port, '127.0.0.8', secret)
    expect(refused).toContain('Forbidden IP')
    expect(refused).not.toMatch(/tot_recv_msgs=[1-9]/)
  })

  test('relays nothing for who does not know the secret', async () => {
    const said = await relay(await openRelay(), mediaHost, 'another secret')
    expect(said).toContain('Cannot complete Allocation')
  })

  test('has eight addresses for an account, whatever the time of its password, and as many for another', async () => {
    const { port, close } = await startRelay({ secret, mediaHost, transport: 'tcp' })
    closeAfterwards(close)
    for (let count = 0; count < 8; count += 1) {
      expect(await allocate(port, 'user-1', new Date(Date.now() + count * 1000))).toBeUndefined()
    }
    expect(await allocate(port, 'user-1', new Date(Date.now() + 60_000))).toContain('486')
    expect(await allocate(port, 'user-2', new Date())).toBeUndefined()
  })

  test('has so many addresses in all, whoever asks', async () => {
    const { port, close } = await startRelay({ secret, mediaHost, transport: 'tcp', totalQuota: 3 })
    closeAfterwards(close)
    for (const userId of ['user-1', 'user-2', 'user-3'])
      expect(await allocate(port, userId, new Date())).toBeUndefined()
    expect(await allocate(port, 'user-4', new Date())).toContain('486')
  })
})
