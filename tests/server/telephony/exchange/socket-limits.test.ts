import { afterEach, beforeEach, expect, test } from 'vitest'
import { addressOf } from '#server/http/socket-address.ts'
import { socketLimits } from '#server/telephony/exchange/socket-limits.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { until, Wire } from './phone.ts'

const { perAddress, withoutTokenPerAddress, withoutToken, perParty } = socketLimits

let world: ExchangeWorld
const wires: Wire[] = []
beforeEach(async () => {
  world = await startExchange({
    addressOf: request => addressOf(request, { trustedProxies: 1, production: true }),
  })
})
afterEach(async () => {
  for (const wire of wires.splice(0)) wire.drop()
  await world.close()
})

/** @returns the open socket, or why there is none */
async function openFrom(from: string): Promise<Wire | string> {
  const wire = new Wire(world.host, { from })
  wires.push(wire)
  return wire.open().catch((error: unknown) => (error as Error).message)
}

async function admitted(from: string): Promise<Wire> {
  const wire = await openFrom(from)
  if (typeof wire === 'string') throw new Error(wire)
  return wire
}

const tokenOf = async (userId: string) => (await world.exchange.issueVoiceToken(userId, undefined)).token
const refused = 'Unexpected server response: 429'

test('limits the sockets of one address that show no token; others, and those that showed one, are not counted', async () => {
  const waiting: Wire[] = []
  for (let nth = 0; nth < withoutTokenPerAddress; nth += 1) waiting.push(await admitted('2001:db8::1'))
  expect(await openFrom('2001:db8::ffff')).toBe(refused)
  expect(await openFrom('127.0.0.1, 2001:db8::2')).toBe(refused)
  await admitted('2001:db8:0:1::1')
  // The first one shows its token, the second leaves: two more may come.
  await waiting[0]?.listen(await tokenOf('anna'))
  await admitted('2001:db8::3')
  expect(await openFrom('2001:db8::4')).toBe(refused)
  waiting[1]?.drop()
  await expect.poll(async () => typeof (await openFrom('2001:db8::5'))).toBe('object')
})

test('an address that is unknown behind proxies has the limits of one address', async () => {
  for (let nth = 0; nth < withoutTokenPerAddress; nth += 1) await admitted('127.0.0.1')
  expect(await openFrom('127.0.0.1')).toBe(refused)
  expect(await openFrom('127.0.0.2')).toBe(refused)
})

test('of too many without a token in all, the one that waited longest goes, and a page is served', async () => {
  const page = await admitted('203.0.113.1')
  await page.listen(await tokenOf('anna'))
  const oldest = await admitted('203.0.113.2')
  const second = await admitted('203.0.113.3')
  for (let nth = 2; nth < withoutToken; nth += 100) {
    const some = Array.from({ length: Math.min(100, withoutToken - nth) }, (_, n) =>
      admitted(`2001:db8:1:${((nth + n) % 200).toString(16)}::1`),
    )
    await Promise.all(some)
  }
  expect(oldest.socket.readyState).toBe(oldest.socket.OPEN)
  const newest = await admitted('203.0.113.4')
  expect(await oldest.closed).toMatchObject({ code: 1006 })
  expect(second.socket.readyState).toBe(second.socket.OPEN)
  await newest.listen(await tokenOf('berta'))
  page.send('register', { media: { audio: true } })
  await page.frame('ready')
})

test('limits the sockets of one account, whatever their addresses; one that closes makes room', async () => {
  const token = await tokenOf('anna')
  const open: Wire[] = []
  for (let nth = 0; nth < perParty; nth += 1)
    open.push(await (await admitted(`203.0.113.${nth}`)).listen(token))
  const showToken = async () => {
    const wire = await admitted('198.51.100.1')
    wire.send('listen', { token })
    return wire
  }
  const one = await showToken()
  expect(await one.frame('error')).toMatchObject({ error: { code: 31204 } })
  expect(await one.closed).toEqual({ code: 1008, reason: 'too many sockets' })
  await (await admitted('198.51.100.1')).listen(await tokenOf('berta'))
  // A renewed token is not another socket.
  await open[0]?.listen(token)
  open[1]?.drop()
  await expect
    .poll(async () => {
      const wire = await showToken()
      return until(() => wire.frames[0]?.type, 'an answer')
    })
    .toBe('connected')
})

test('limits all sockets of one address', async () => {
  for (let nth = 0; nth < perAddress; nth += 1)
    await (await admitted('203.0.113.9')).listen(await tokenOf(`user-${nth}`))
  expect(await openFrom('203.0.113.9')).toBe(refused)
  await admitted('203.0.113.10')
})
