import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { shareAt } from './goertzel.ts'
import { call, until, Wire } from './phone.ts'

let world: ExchangeWorld
beforeEach(async () => {
  world = await startExchange()
})
afterEach(() => world.close())

async function connect(userId = 'user-1'): Promise<Wire> {
  const { token } = await world.exchange.issueVoiceToken(userId)
  return (await new Wire(world.host).open()).listen(token)
}

test('plays 1004 Hz at 0 dBm0 to a caller of 0100, and reports ringing, answer and end in order', async () => {
  const wire = await connect()
  const { phone, callId } = await call(wire, '+12125550100')
  await until(() => phone.heard.length > 30, 'half a second of sound')
  const heard = Buffer.concat(phone.heard.slice(5, 30))
  expect(shareAt(1004, heard)).toBeGreaterThan(0.98)
  expect(shareAt(1104, heard)).toBeLessThan(0.01)
  wire.send('hangup', { callsid: callId })
  await until(() => world.control.events.length === 3, 'the end')
  expect(world.control.events.map(event => event.kind)).toEqual(['ringing', 'answered', 'ended'])
  await phone.close()
})
