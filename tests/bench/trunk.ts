import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { RtpHeader, RtpPacket } from 'werift'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab } from '#support/trunk/lab.ts'
import { startExchange } from '../server/telephony/exchange/exchange-world.ts'
import { call, dial, Phone, type PlacedCall, Wire } from '../server/telephony/exchange/phone.ts'
import { startTrunkWorld } from '../server/telephony/trunk/trunk-world.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

const rounds = 15
const calls = 20
const seconds = 10
const number = '+12125550100'
/** 20 ms of silence in Opus. */
const opusSilence = Buffer.from([0xf8, 0xff, 0xfe])

type Server = Pick<Awaited<ReturnType<typeof startTrunkWorld>>, 'host'> & { token(): Promise<string> }

/** What a trunk adds to a call: time until it rings, and the media host's processor and memory. */
export async function benchTrunk(): Promise<Figure[]> {
  if (trunkIsMissing()) return [{ what: 'a call over a trunk', value: 'SKIPPED: programs are missing' }]
  const lab = await startTrunkLab([
    { name: 'answers', behaviour: { kind: 'answers', ringMs: 100 }, sells: { 1: 4000 } },
  ])
  const [exchange, trunk] = [await startExchange(), await startTrunkWorld(lab.file)]
  const userId = 'user-1'
  const { decide } = trunk.control
  // The edge takes UUIDs.
  trunk.control.decide = attempt => decide(attempt, randomUUID())
  const overTrunk: Server = {
    host: trunk.host,
    token: async () => (await trunk.trunk.issueVoiceToken(userId)).token,
  }
  const direct: Server = {
    host: exchange.host,
    token: async () => (await exchange.exchange.issueVoiceToken(userId)).token,
  }
  try {
    // In turns, so that both meet the same machine.
    const times: { readonly direct: number; readonly trunk: number }[] = []
    for (let round = 0; round < rounds; round += 1)
      times.push({ direct: await ringMs(direct), trunk: await ringMs(overTrunk) })
    const directMs = median(times.map(one => one.direct))
    const trunkMs = median(times.map(one => one.trunk))
    return [
      {
        what: 'placed to ringing: exchange, trunk',
        value: `${directMs.toFixed(0)} ms, ${trunkMs.toFixed(0)} ms (${(trunkMs - directMs).toFixed(0)} ms added)`,
      },
      ...(await measureCalls('G.711 passed on', overTrunk, lab.mediaHost.pid(), 'PCMU')),
      ...(await measureCalls('Opus transcoded to G.711', overTrunk, lab.mediaHost.pid(), 'opus')),
    ]
  } finally {
    await Promise.all([exchange.close(), trunk.close()])
    await lab.close()
  }
}

async function openWire({ host, token }: Server): Promise<Wire> {
  return await (await new Wire(host).open()).listen(await token())
}

async function ringMs(server: Server): Promise<number> {
  const wire = await openWire(server)
  const from = performance.now()
  const placed = await dial(wire, number)
  const tookMs = performance.now() - from
  await hangUp(placed)
  return tookMs
}

async function hangUp({ wire, phone, callId }: PlacedCall): Promise<void> {
  wire.send('hangup', { callsid: callId })
  await phone.close()
  await sleep(50)
  wire.drop()
}

async function measureCalls(
  what: string,
  server: Server,
  pid: number,
  codec: 'PCMU' | 'opus',
): Promise<Figure[]> {
  const idleKiB = residentKiB(pid)
  const placed: PlacedCall[] = []
  const speaking: NodeJS.Timeout[] = []
  for (let count = 0; count < calls; count += 1) {
    const wire = await openWire(server)
    if (codec === 'PCMU') placed.push(await call(wire, number))
    else {
      const phone = new Phone('opus')
      placed.push(await dial(wire, number, phone))
      phone.fallSilent()
      speaking.push(speakOpus(phone))
      await wire.frame('answer')
    }
  }
  const memoryKiB = (residentKiB(pid) - idleKiB) / calls
  const from = performance.now()
  const before = cpuMs(pid)
  await sleep(seconds * 1000)
  const share = (cpuMs(pid) - before) / (performance.now() - from) / calls
  for (const timer of speaking) clearInterval(timer)
  for (const one of placed) await hangUp(one)
  return [
    {
      what: `media host, ${what}, of a core a call`,
      value: `${(share * 100).toFixed(2)} % (${Math.floor(1 / share)} calls a core)`,
    },
    { what: `media host, ${what}, memory a call`, value: `${memoryKiB.toFixed(0)} KiB` },
  ]
}

function speakOpus(phone: Phone): NodeJS.Timeout {
  const [sender] = phone.connection.getSenders()
  let count = 0
  return setInterval(() => {
    count += 1
    const header = new RtpHeader({
      payloadType: sender?.codec?.payloadType ?? 0,
      sequenceNumber: count & 0xffff,
      timestamp: count * 960,
    })
    sender?.sendRtp(new RtpPacket(header, opusSilence)).catch(() => undefined)
  }, 20)
}

/** CPU time of all threads of a process. Linux counts it in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function residentKiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
