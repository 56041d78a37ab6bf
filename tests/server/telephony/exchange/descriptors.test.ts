import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runExchange } from '#support/exchange-run.ts'
import { call, invite, Phone, until, Wire } from './phone.ts'

test('a process that runs out of descriptors fails the calls that find none, keeps the others and continues', async () => {
  const exchange = await runExchange({ maxDescriptors: 60 })
  const phones: Phone[] = []
  try {
    const wire = await (await new Wire(exchange.host).open()).listen(await exchange.token())
    for (let count = 0; count < 30; count += 1) {
      const phone = new Phone()
      phones.push(phone)
      await invite(wire, '+12125550100', phone, `TJS${count}`)
    }
    const rung = () => wire.frames.filter(({ type }) => type === 'ringing')
    const failed = () => wire.frames.filter(({ type }) => type === 'hangup')
    await until(() => rung().length + failed().length === 30, 'a word about every call')
    expect(rung().length).toBeGreaterThan(0)
    expect(failed().length).toBeGreaterThan(0)
    for (const { payload } of failed()) expect(payload.error.code).toBe(31000)
    expect(await exchange.live()).toBe(rung().length)

    for (const { payload } of rung()) wire.send('hangup', { callsid: payload.callsid })
    while ((await exchange.live()) > 0) await sleep(20)
    await sleep(500)
    const { phone } = await call(wire, '+12125550100')
    phones.push(phone)
    await until(() => phone.heard.length > 5, 'sound')
    wire.drop()
  } finally {
    await exchange.close()
    await Promise.all(phones.map(phone => phone.close()))
  }
}, 30_000)
