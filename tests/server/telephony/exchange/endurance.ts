import { setTimeout as sleep } from 'node:timers/promises'
import type { Holding } from '#support/exchange-process.ts'
import { type ExchangeRun, runExchange } from '#support/exchange-run.ts'
import { listen, pickUp, register } from './handset-phone.ts'
import { call, dial, Phone, type PlacedCall, until, Wire } from './phone.ts'

const toneNumber = '+12125550100'

/** What the exchange held after the first calls, when all is loaded and warm, and after the last. */
export interface Growth {
  readonly early: Holding
  readonly late: Holding
}

/** This many calls one after the other, each heard and hung up, on one socket as from one page. */
export async function callOneAfterTheOther(calls: number, warmUp: number): Promise<Growth> {
  const exchange = await runExchange()
  try {
    const wire = await connect(exchange)
    let early: Holding | undefined
    for (let count = 0; count < calls; count += 1) {
      if (count === warmUp) early = await exchange.measure()
      const placed = await call(wire, toneNumber)
      await until(() => placed.phone.heard.length >= 5, 'the tone')
      await hangUp(placed)
      // The wire remembers every frame, which would slow the search for the next call's.
      wire.frames.length = 0
    }
    await settle(exchange)
    const late = await exchange.measure()
    wire.drop()
    return { early: early ?? late, late }
  } finally {
    await exchange.close()
  }
}

/** This many calls at once, for this long. @returns the packets that each phone received meanwhile */
export async function callAtOnce(calls: number, ms: number): Promise<number[]> {
  const exchange = await runExchange()
  try {
    const placed: PlacedCall[] = []
    for (let count = 0; count < calls; count += 1) {
      placed.push(await call(await connect(exchange), toneNumber))
    }
    const before = placed.map(({ phone }) => phone.heard.length)
    await sleep(ms)
    const heard = placed.map(({ phone }, index) => phone.heard.length - (before[index] ?? 0))
    await Promise.all(placed.map(hangUp))
    await settle(exchange)
    for (const { wire } of placed) wire.drop()
    return heard
  } finally {
    await exchange.close()
  }
}

async function connect(exchange: ExchangeRun, userId = 'user-1'): Promise<Wire> {
  return (await new Wire(exchange.host).open()).listen(await exchange.token(userId))
}

async function hangUp({ wire, phone, callId }: PlacedCall): Promise<void> {
  wire.send('hangup', { callsid: callId })
  await phone.close()
}

async function settle(exchange: ExchangeRun): Promise<void> {
  while ((await exchange.live()) > 0) await sleep(20)
  // A closed WebRTC connection lets its sockets go a moment later.
  await sleep(500)
}

/**
 * So many calls to handsets, a few at once, while the processor is busy with others. Each is answered, and then
 * both ends have to hear each other.
 * @returns how many were answered and stayed silent at one end or both
 */
export async function callHandsets(calls: number, atOnce: number): Promise<number> {
  const exchange = await runExchange()
  let silent = 0
  try {
    const pairs = Array.from({ length: atOnce }, async (_, pair) => {
      const number = `+4420718387${50 + pair}`
      const handset = await register(exchange.host, await exchange.claim(number))
      const wire = await connect(exchange, `user-${pair}`)
      for (let count = pair; count < calls; count += atOnce) {
        if (!(await converse(wire, handset, number))) silent += 1
        wire.frames.length = 0
        handset.frames.length = 0
      }
      wire.drop()
      handset.drop()
    })
    await Promise.all(pairs)
    await settle(exchange)
    return silent
  } finally {
    await exchange.close()
  }
}

/** Under load the handshakes take seconds; after 15 s the exchange gives up. */
async function answered(wire: Wire): Promise<void> {
  await until(() => wire.frames.some(({ type }) => type === 'answer'), 'the answer', 15_000)
}

/** @returns whether each heard the other within 5 s of the answer */
async function converse(wire: Wire, handset: Wire, number: string): Promise<boolean> {
  const caller = await dial(wire, number, new Phone(['opus', 'PCMU']))
  // Silence would be numbered otherwise than the speech: a leap that no browser makes, and SRTP does not follow.
  caller.phone.fallSilent()
  const phone = await pickUp(handset)
  await answered(wire)
  caller.phone.speakOpus(0xaa)
  phone.speakOpus(0xbb)
  const heard = await Promise.all([
    listen(caller.phone, 3, ({ payload }) => payload[0] === 0xbb),
    listen(phone, 3, ({ payload }) => payload[0] === 0xaa),
  ]).then(
    () => true,
    () => false,
  )
  await hangUp(caller)
  await handset.frame('hangup')
  await phone.close()
  return heard
}
