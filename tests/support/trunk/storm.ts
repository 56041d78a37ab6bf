import { setTimeout as sleep } from 'node:timers/promises'
import { type Frame, invite, Phone, until, Wire } from '../../server/telephony/exchange/phone.ts'
import type { Chance } from '../storm-chance.ts'
import type { TestServer } from '../test-server.ts'
import type { TrunkLab } from './lab.ts'

/** What a caller saw of a call that a server took. */
export interface SeenCall {
  /** Undefined if nothing rang. */
  readonly callId: string | undefined
  readonly isAnswered: boolean
}

const disasters = ['server', 'edge', 'media host', 'killed carrier', 'slow carrier'] as const
type Disaster = (typeof disasters)[number]

/** A time in which something was away, in milliseconds since 1970. */
export interface Outage {
  readonly kind: Disaster
  readonly fromMs: number
  readonly toMs: number
}

/** Each caller has so much, which is two minutes, and calls twice. */
const cents = 4
const callsEach = 2
const lanes = 10
/** In these lanes callers talk until they are cut off. */
const talkingLanes = 2
/** How long a caller waits for the telephone to ring, and then for somebody to pick it up. */
const patienceMs = 8000
const longestMs = 5 * 60_000

/** @returns voice tokens of as many callers as these calls need */
export async function addCallers(server: TestServer, calls: number): Promise<string[]> {
  return await server.addCallers(Math.ceil(calls / callsEach), cents)
}

/** Lets each caller call twice, some at once. Resolves when all calls are over for their callers. */
export async function placeCalls(
  host: string,
  callers: readonly string[],
  chance: Chance,
): Promise<SeenCall[]> {
  const tokens = [...callers]
  const seen: SeenCall[] = []
  let dialled = 0
  async function live(talksOn: boolean): Promise<void> {
    for (let token = tokens.pop(); token !== undefined; token = tokens.pop()) {
      for (let left = callsEach; left > 0; ) {
        dialled += 1
        const talkMs = talksOn ? longestMs : 200 + chance.upTo(1000)
        const call = await placeCall(host, token, numberOf(dialled), talkMs)
        if (call === undefined) await sleep(500)
        else {
          seen.push(call)
          left -= 1
        }
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => live(lane < talkingLanes)))
  return seen
}

/** A number in New York that nobody else calls. */
function numberOf(nth: number): string {
  return `+1212${2_000_000 + 7 * nth}`
}

/** @returns undefined if there was no server */
async function placeCall(
  host: string,
  token: string,
  number: string,
  talkMs: number,
): Promise<SeenCall | undefined> {
  const wire = await openWire(host, token)
  if (wire === undefined) return undefined
  const find = (type: string): Frame | undefined => wire.frames.find(frame => frame.type === type)
  const isOver = () => wire.socket.readyState === wire.socket.CLOSED || find('hangup') !== undefined
  const wait = (type: string, timeoutMs: number) =>
    until(() => isOver() || find(type) !== undefined, type, timeoutMs).catch(() => undefined)
  const phone = new Phone()
  try {
    await invite(wire, number, phone, `TJS${token.slice(-24)}`)
    await wait('ringing', patienceMs)
    const ringing = find('ringing')?.payload
    if (ringing !== undefined) {
      await phone.accept(ringing.sdp)
      phone.speak('silence')
      await wait('answer', patienceMs)
    }
    const isAnswered = find('answer') !== undefined
    if (isAnswered) await wait('hangup', talkMs)
    if (!isOver()) {
      wire.send('hangup', { callsid: ringing?.callsid ?? '' })
      await sleep(50)
    }
    return { callId: ringing?.callsid, isAnswered }
  } finally {
    await phone.close()
    wire.drop()
  }
}

async function openWire(host: string, token: string): Promise<Wire | undefined> {
  const wire = new Wire(host)
  try {
    await wire.open()
    return await wire.listen(token)
  } catch {
    wire.drop()
    return undefined
  }
}

export interface Rage {
  readonly server: TestServer
  readonly lab: TrunkLab
  /** Carriers by name. */
  readonly killed: string
  readonly slow: string
  readonly chance: Chance
  readonly isOver: () => boolean
}

/** Breaks one thing after the other, each once a round, until it is told to stop. */
export async function rage({ server, lab, killed, slow, chance, isOver }: Rage): Promise<Outage[]> {
  const strike: Readonly<Record<Disaster, () => Promise<void>>> = {
    server: async () => {
      await server.kill()
      await server.restart()
    },
    edge: async () => {
      await lab.edge.kill()
      await sleep(chance.upTo(1000))
      await lab.edge.start()
    },
    'media host': async () => {
      await lab.mediaHost.kill()
      await sleep(chance.upTo(1000))
      await lab.mediaHost.start()
    },
    'killed carrier': async () => {
      await lab.carrier(killed).kill()
      await sleep(4000 + chance.upTo(4000))
      await lab.carrier(killed).start()
    },
    'slow carrier': async () => {
      const pid = lab.carrier(slow).pid()
      process.kill(pid, 'SIGSTOP')
      await sleep(500 + chance.upTo(2500))
      process.kill(pid, 'SIGCONT')
    },
  }
  const outages: Outage[] = []
  let left: Disaster[] = []
  while (!isOver()) {
    // Long enough for what was broken before to be used again.
    await sleep(4000 + chance.upTo(4000))
    if (left.length === 0) left = [...disasters]
    const kind = chance.pick(left)
    left = left.filter(other => other !== kind)
    const fromMs = Date.now()
    await strike[kind]()
    outages.push({ kind, fromMs, toMs: Date.now() })
  }
  return outages
}
