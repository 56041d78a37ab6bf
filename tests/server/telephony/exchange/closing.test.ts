import { expect, test } from 'vitest'
import { systemClock } from '#server/process/clock.ts'
import { createExchange } from '#server/telephony/exchange/exchange.ts'
import { secret, startExchange } from './exchange-world.ts'
import { call, dial, invite, Phone, Wire } from './phone.ts'

async function start() {
  const world = await startExchange()
  const connect = async () => {
    const { token } = await world.exchange.issueVoiceToken('user-1')
    return (await new Wire(world.host).open()).listen(token)
  }
  return { ...world, connect }
}

test('ends every call at shutdown, gives each client the reason, and resolves once all is reported', async () => {
  const world = await start()
  const answered = await call(await world.connect(), '+12125550100')
  const ringing = await dial(await world.connect(), '+442012345678')
  world.control.failures = 1
  await world.exchange.close()

  const ends = world.control.events.filter(event => event.kind === 'ended')
  expect(ends).toEqual(
    [
      {
        ...{ kind: 'ended', callId: answered.callId, answeredMs: expect.any(Number) },
        ...{ end: 'server_stopping', heard: expect.any(Boolean) },
      },
      { kind: 'ended', callId: ringing.callId, answeredMs: null, end: 'server_stopping' },
    ].toSorted(
      (a, b) => ends.findIndex(e => e.callId === a.callId) - ends.findIndex(e => e.callId === b.callId),
    ),
  )
  for (const { wire, callId } of [answered, ringing]) {
    expect(await wire.frame('hangup')).toMatchObject({ callsid: callId, error: { code: 31005 } })
    expect(await wire.closed).toMatchObject({ code: 1001 })
  }
  await expect(new Wire(world.host).open()).rejects.toThrow()
  await world.close()
  await Promise.all([answered.phone.close(), ringing.phone.close()])
})

test('waits at shutdown for the call that is still being decided', async () => {
  const world = await start()
  const wire = await world.connect()
  const decision = Promise.withResolvers<void>()
  world.control.decide = async ({ to }, callId) => {
    await decision.promise
    return { kind: 'connect', callId, to, from: '+442079460000', limitMs: 60_000, rateMicroUsd: 20_000 }
  }
  await invite(wire, '+12125550100', new Phone(), 'TJS1')
  wire.send('message', { callsid: 'TJS1', messagetype: 'user-defined-message', voiceeventsid: 'KX1' })
  await wire.frame('ack')
  const closing = world.exchange.close()
  decision.resolve()
  await closing
  expect(world.control.events).toEqual([
    { kind: 'ended', callId: 'call-1', answeredMs: null, end: 'server_stopping' },
  ])
  await world.close()
})

test('closing twice, or before it was opened, is no error', async () => {
  const world = await start()
  await world.exchange.close()
  await world.close()
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  await createExchange({ clock: systemClock, secret, log }).close()
})

test('says at once when its address is not one of this machine', () => {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  const address = { bound: '203.0.113.7', advertised: '203.0.113.7', ports: undefined }
  const create = () => createExchange({ clock: systemClock, secret, log, address })
  expect(create).toThrow('203.0.113.7 is not an IP address of this machine')
})
