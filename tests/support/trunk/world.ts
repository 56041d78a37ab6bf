import { randomUUID } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, vi } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { type EdgeRecord, EdgeRecords } from '#server/telephony/trunk/edge-records.ts'
import {
  type Outgoing,
  type OutgoingEvent,
  type OutgoingLeg,
  Signalling,
} from '#server/telephony/trunk/signalling.ts'
import { findFreePort } from '../test-server.ts'
import { type Carrier, startCarrier } from './carrier.ts'
import { type Edge, type EdgeOptions, startEdge } from './edge.ts'
import type { Behaviour } from './scenarios.ts'

/** Closes something after the running test, the last one first. */
export function closeAfterwards(...closers: readonly (() => Promise<void>)[]): void {
  // Not `afterEach` of this file: test files of one worker share it, and only the first one would have it.
  for (const close of closers) onTestFinished(close)
}

export interface World {
  readonly edge: Edge
  readonly signalling: Signalling
  readonly records: EdgeRecords
  readonly carriers: readonly Carrier[]
}

/** What a carrier hears of us when no media host takes part. */
export const plainOffer = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 41000 RTP/AVP 0 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  '',
].join('\r\n')

/** A socket that answers nothing. @param host of the loopback network */
export async function openSocket(host = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, host)
  await once(socket, 'listening')
  closeAfterwards(async () => void socket.close())
  return socket
}

/**
 * An edge with these carriers as sets 1, 2 and so on. Set 9 is a carrier where nobody answers.
 * @param attributes of every carrier's line
 */
export async function openWorld(
  behaviours: readonly Behaviour[],
  attributes = '',
  { carriers: further = [], ...options }: Partial<EdgeOptions> = {},
): Promise<World> {
  const carriers = await Promise.all(behaviours.map(behaviour => startCarrier(behaviour)))
  closeAfterwards(...carriers.map(carrier => carrier.close))
  const silent = await openSocket()
  const lines = carriers.map((carrier, index) => carrier.line(index + 1, attributes))
  const edge = await startEdge({
    carriers: [...lines, `9 sip:127.0.0.1:${silent.address().port};transport=udp`, ...further],
    ...options,
  })
  closeAfterwards(edge.close)
  const records = new EdgeRecords(edge)
  closeAfterwards(() => records.close())
  const signalling = new Signalling({
    control: edge.control,
    log: createLog('silent'),
    onReconnected: () => undefined,
  })
  await signalling.open()
  closeAfterwards(() => signalling.close())
  return { edge, signalling, records, carriers }
}

/** An edge with this carrier alone, as set 1, which is reached over TCP. */
export async function openTcpWorld(behaviour: Behaviour): Promise<{
  readonly world: World
  readonly carrier: Carrier
  /** Host and port from where the edge reaches carriers over TCP. */
  readonly from: string
}> {
  const from = `127.0.0.1:${await findFreePort()}`
  const carrier = await startCarrier(behaviour, { transport: 'tcp' })
  closeAfterwards(carrier.close)
  const world = await openWorld([], '', {
    carriers: [carrier.line(1)],
    environment: { EDGE_TCP: `tcp:${from}` },
  })
  return { world, carrier, from }
}

export interface PlacedCall {
  readonly callId: string
  readonly leg: OutgoingLeg
  readonly events: readonly OutgoingEvent[]
  readonly kinds: () => readonly OutgoingEvent['kind'][]
  readonly record: () => Promise<EdgeRecord | undefined>
  /** @returns the first event of this kind. @throws when none comes in time */
  readonly until: (kind: OutgoingEvent['kind'], timeoutMs?: number) => Promise<OutgoingEvent | undefined>
}

/** Places a call at carrier 1, unless the details say otherwise. */
export function call(world: World, details: Partial<Outgoing> = {}): PlacedCall {
  const callId = randomUUID()
  const events: OutgoingEvent[] = []
  const leg = world.signalling.place(
    {
      callId,
      attempt: 0,
      carrier: 1,
      to: { user: '+442079460000', host: 'carrier.example' },
      from: { user: '+12125550199', host: 'farline.example' },
      limitSeconds: 60,
      attestation: undefined,
      headers: [],
      offer: plainOffer,
      ...details,
    },
    event => events.push(event),
  )
  const kinds = () => events.map(({ kind }) => kind)
  return {
    callId,
    leg,
    events,
    kinds,
    record: () => world.records.find(callId),
    until: async (kind, timeoutMs = 5000) => {
      await vi.waitFor(() => expect(kinds()).toContain(kind), { timeout: timeoutMs, interval: 20 })
      return events.find(event => event.kind === kind)
    },
  }
}
