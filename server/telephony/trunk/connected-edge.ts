import { minuteMs } from '#lib/time.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../exchange/logger.ts'
import type { Edge } from './edge.ts'
import { type EdgeRecord, EdgeRecords } from './edge-records.ts'
import { MediaHost } from './media-host.ts'
import { type Outgoing, type OutgoingEvent, type OutgoingLeg, Signalling } from './signalling.ts'
import type { EdgeAddresses } from './trunk-file.ts'

/** How often the media host is asked whether it is there, and calls that are not sure are asked about. */
const beatMs = 2000
/** A hang-up this old has arrived at the edge, or the edge was away and is asked. */
const hangUpMs = minuteMs

interface LiveLeg {
  readonly callId: string
  isAnswered: boolean
  readonly on: (event: OutgoingEvent) => void
}

/**
 * An edge and the calls of this process on it. Events are lost while the connection is: afterwards each call is compared
 * with the edge's own record.
 */
export class ConnectedEdge implements Edge {
  readonly name: string
  readonly media: MediaHost
  readonly records: EdgeRecords
  readonly signalling: Edge['signalling'] = { place: (call, on) => this.#place(call, on) }
  readonly #connection: Signalling
  readonly #clock: Clock
  readonly #log: Logger
  readonly #live = new Set<LiveLeg>()
  /** Calls that we hung up, and when in monotonic milliseconds. */
  readonly #hungUp = new Map<string, number>()
  /** To be compared with the records. */
  readonly #unsure = new Set<LiveLeg>()
  #mediaAnswers = false
  #beat: NodeJS.Timeout | undefined
  #beating = false

  constructor({ name, control, media, redis }: EdgeAddresses, clock: Clock, log: Logger) {
    this.name = name
    this.#clock = clock
    this.#log = log
    this.media = new MediaHost(media)
    this.records = new EdgeRecords({ redis, control })
    this.#connection = new Signalling({ control, log, onReconnected: () => this.#reconnected() })
  }

  /** Whether a call can be placed there now. */
  get isUsable(): boolean {
    return this.#connection.isConnected && this.#mediaAnswers
  }

  get liveCalls(): number {
    return this.#live.size
  }

  /** Connects, and stays connected by itself. Resolves when the edge can be used. */
  async open(): Promise<void> {
    this.#beat = setInterval(() => this.#onBeat(), beatMs)
    await this.#connection.open()
    await this.#askMedia()
  }

  async close(): Promise<void> {
    clearInterval(this.#beat)
    await this.#connection.close()
    await this.records.close()
  }

  #place(call: Outgoing, on: (event: OutgoingEvent) => void): OutgoingLeg {
    const { callId } = call
    const live: LiveLeg = { callId, isAnswered: false, on }
    this.#live.add(live)
    const leg = this.#connection.place(call, event => {
      if (!this.#live.has(live)) return
      if (event.kind === 'answered') live.isAnswered = true
      if (event.kind === 'rejected' || event.kind === 'ended') this.#forget(live)
      on(event)
    })
    return {
      hangUp: () => {
        if (!this.#live.has(live)) return
        this.#forget(live)
        this.#hungUp.set(callId, this.#clock.monotonicMs())
        if (this.#connection.isConnected) leg.hangUp()
      },
    }
  }

  #forget(live: LiveLeg): void {
    this.#live.delete(live)
    this.#unsure.delete(live)
  }

  #reconnected(): void {
    for (const live of this.#live) this.#unsure.add(live)
    this.#onBeat()
  }

  #onBeat(): void {
    if (this.#beating) return
    this.#beating = true
    Promise.all([this.#askMedia(), this.#compare()])
      .catch(error =>
        this.#log.warn({ edge: this.name, err: error }, 'the records of an edge cannot be read'),
      )
      .finally(() => {
        this.#beating = false
      })
  }

  async #askMedia(): Promise<void> {
    const answers = await this.media.isReachable()
    if (answers === this.#mediaAnswers) return
    this.#mediaAnswers = answers
    if (answers) this.#log.info({ edge: this.name }, 'a media host answers')
    else this.#log.warn({ edge: this.name }, 'a media host does not answer')
  }

  /** @throws when the edge's Redis cannot be reached; what was not compared is compared at the next beat */
  async #compare(): Promise<void> {
    if (!this.#connection.isConnected) return
    for (const live of [...this.#unsure]) {
      const record = await this.records.find(live.callId)
      if (this.#unsure.delete(live)) await this.#apply(live, record)
    }
    const now = this.#clock.monotonicMs()
    for (const [callId, atMs] of [...this.#hungUp]) {
      if (now - atMs < beatMs) continue
      const record = await this.records.find(callId)
      if (record !== undefined && record.endedAtMs === undefined) await this.records.hangUp(record)
      if (record?.endedAtMs !== undefined || now - atMs > hangUpMs) this.#hungUp.delete(callId)
    }
  }

  async #apply(live: LiveLeg, record: EdgeRecord | undefined): Promise<void> {
    if (live.isAnswered && record !== undefined && record.endedAtMs === undefined) return
    this.#forget(live)
    if (live.isAnswered) {
      live.on({ kind: 'ended', endedAtMs: record?.endedAtMs })
      return
    }
    // Its answers went to the lost connection: it may ring, and nobody could be heard.
    if (record !== undefined) await this.records.hangUp(record)
    live.on({ kind: 'rejected', code: 503, edge: 'lost' })
  }
}
