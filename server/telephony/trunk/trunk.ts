import type { IncomingMessage, Server } from 'node:http'
import type { CarrierCause } from '#lib/calls/call-end.ts'
import { failure, success } from '#lib/result.ts'
import type { AddressOfSocket } from '../../http/socket-address.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'
import type { FarSideOptions } from '../exchange/far-side.ts'
import type { Logger } from '../exchange/logger.ts'
import type { MediaAddress } from '../exchange/media/media-address.ts'
import { mediaAddresses, type UnnamedAddress } from '../exchange/media/own-address.ts'
import { Switchboard } from '../exchange/switchboard.ts'
import { Verifications } from '../exchange/verifications.ts'
import type { CallControl, CallInspection, Telephony } from '../port.ts'
import { type EdgeRecord, recordedAnswerMs } from './edge-records.ts'
import { Edges } from './edges.ts'
import { causeOfRejection } from './failover.ts'
import { relayFor } from './relay.ts'
import { Router } from './router.ts'
import type { PricedCarrier } from './routes.ts'
import type { TrunkBooks } from './trunk-books.ts'
import type { TrunkSettings } from './trunk-file.ts'
import { trunkLine } from './trunk-line.ts'
import { TrunkSide } from './trunk-side.ts'

export interface TrunkOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** Signs voice tokens (HS256): 32 octets or more. */
  readonly secret: Uint8Array
  readonly tokenTtlSeconds?: number
  /** Of media in this process: connection checks and verification calls. Default: an address of this machine. */
  readonly address?: MediaAddress | UnnamedAddress
  readonly books: TrunkBooks
  readonly onForeignOrigin?: (request: IncomingMessage) => void
  /** Default: the address of the connection itself, as without a proxy. */
  readonly addressOf?: AddressOfSocket
}

/** The telephone network over SIP trunks. Browsers connect as they do to the exchange; calls leave through edges. */
export interface Trunk extends Telephony {
  /** Starts taking calls, once. Connects to the edges by itself; resolves when all can be used. Never rejects. */
  open(opening: { readonly control: CallControl; readonly server: Server }): Promise<void>
  live(): readonly string[]
}

const closingTimeoutMs = 5000

export interface PricedTrunks extends Pick<TrunkSettings, 'edges' | 'publicNumbers' | 'relay'> {
  readonly carriers: readonly PricedCarrier[]
}

/** @throws StartError when the media address is not one of this machine */
export function createTrunk(settings: PricedTrunks, options: TrunkOptions): Trunk {
  const { clock, random, log, books } = options
  const { publicNumbers } = settings
  const address = mediaAddresses(options.address)
  const switchboard = new Switchboard({ ...options, address, handsets: undefined })
  const edges = new Edges(settings.edges, clock, log)
  const router = new Router({ carriers: settings.carriers, publicNumbers, books, clock, log })
  const sideServices = {
    log,
    routesTo: router.routesTo.bind(router),
    onAttempt: router.onAttempt.bind(router),
    edgeFor: edges.choose.bind(edges),
    // A user's own number was verified before a call could show it.
    attestationOf: (number: string) => (publicNumbers.includes(number) ? ('B' as const) : ('A' as const)),
  }
  const farSide = (call: FarSideOptions) => new TrunkSide(sideServices, call)
  // Only calls of users are in the books.
  const ownFarSide = (call: FarSideOptions) =>
    new TrunkSide({ ...sideServices, onAttempt: router.judge.bind(router) }, call)
  let verifications: Verifications | undefined

  /** A call that no process carries any more: nobody could hang it up, so it ends. */
  async function inspectOrphan(callId: string): Promise<CallInspection> {
    const found = await edges.find(callId)
    if (found === undefined) return { kind: 'unknown' }
    const { edge, record } = found
    if (record.endedAtMs !== undefined) return inspectionOf(record, record.endedAtMs)
    if (await edge.records.hangUp(record))
      return { kind: 'live', answeredMs: recordedAnswerMs(record, clock.now().getTime()) }
    // The edge lost it in a crash, before it could write down the end.
    return record.answeredAtMs === undefined
      ? { kind: 'ended', answeredMs: null, end: 'server_stopping' }
      : { kind: 'unknown' }
  }

  return {
    carriage: 'this_process',
    publicNumbers,

    async open({ control, server }) {
      switchboard.open({ control, server, farSide })
      verifications = new Verifications({
        ...{ clock, random, control, log, ticker: switchboard.ticker },
        lineOf: ({ number, rateMicroUsd }) =>
          trunkLine({ clock, address, farSide: ownFarSide }, number, rateMicroUsd),
        from: publicNumbers[0],
      })
      await edges.open()
    },

    async issueVoiceToken(userId, sessionId) {
      const { route, ...token } = await switchboard.issueCredential({ kind: 'caller', userId, sessionId })
      if (settings.relay === undefined) return { ...token, route }
      return { ...token, route: { ...route, relay: relayFor(settings.relay, userId, clock.now()) } }
    },

    async hangUp(callId, why) {
      if (switchboard.hangUp(callId, why)) return
      const found = await edges.find(callId)
      await found?.edge.records.hangUp(found.record)
    },

    async setLimit(callId, limitMs) {
      switchboard.setLimit(callId, limitMs)
    },

    isTestNumber: () => false,

    // Every outcome is reported.
    isVerified: async () => false,

    // Carriers store no verified numbers of ours.
    forgetNumber: async () => success(undefined),

    async verifyNumber(call) {
      return verifications?.call(call) ?? failure('unavailable')
    },

    inspect: async callId => switchboard.inspect(callId) ?? (await inspectOrphan(callId)),

    live: () => switchboard.live(),

    async close() {
      const untold = verifications?.close(closingTimeoutMs)
      await switchboard.endCalls(closingTimeoutMs)
      await untold
      switchboard.closeSockets()
      await edges.close()
    },
  }
}

function inspectionOf(record: EdgeRecord, endedAtMs: number): CallInspection {
  const answeredMs = recordedAnswerMs(record, endedAtMs)
  return { kind: 'ended', answeredMs, end: causeOf(record, answeredMs) }
}

function causeOf({ endedBy, code, limitMs }: EdgeRecord, answeredMs: number | null): CarrierCause {
  if (answeredMs === null)
    return code === undefined ? 'failed' : causeOfRejection({ code, edge: undefined, rang: false })
  if (endedBy === 'caller') return 'caller_hung_up'
  if (endedBy === 'callee') return 'callee_hung_up'
  // The edge ended it: at the limit, or because its process was gone.
  return limitMs !== undefined && answeredMs >= limitMs ? 'limit' : 'server_stopping'
}
