import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../exchange/logger.ts'
import type { Edge } from './edge.ts'
import { type EdgeRecord, EdgeRecords } from './edge-records.ts'
import { MediaHost } from './media-host.ts'
import { type Outgoing, type OutgoingEvent, type OutgoingLeg, Signalling, sipIdOf } from './signalling.ts'
import type { EdgeAddresses } from './trunk-file.ts'

/** How often the edge is asked whether it is there, and about calls that we hung up. */
const beatMs = 2000
/** Beats between two comparisons of all answered calls: an end may be lost without a sign. */
const beatsBetweenComparisons = 5
/** How often a call that we hung up, and that goes on by its record, is hung up again. */
const maxHangUps = 30
/** For what is left to do at the end of the process, in milliseconds. */
const closingMs = 3000

interface LiveLeg {
  readonly callId: string
  readonly sipId: string
  isAnswered: boolean
  readonly on: (event: OutgoingEvent) => void
}

/** A call that we hung up. */
interface HungUp {
  readonly callId: string
  /** Monotonic. */
  readonly atMs: number
  tries: number
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
  /** By SIP's Call-ID. Kept until the edge's record says that the call is over, or is of a later attempt. */
  readonly #hungUp = new Map<string, HungUp>()
  /** To be compared with the records. */
  readonly #unsure = new Set<LiveLeg>()
  #isThere = false
  #beats = 0
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
    return this.#connection.isConnected && this.#isThere
  }

  get liveCalls(): number {
    return this.#live.size
  }

  /** Connects, and stays connected by itself. Resolves when the edge can be used. */
  async open(): Promise<void> {
    this.#beat = setInterval(() => this.#onBeat(), beatMs)
    await this.#connection.open()
    await this.#ask()
  }

  async close(): Promise<void> {
    clearInterval(this.#beat)
    // Nobody else knows of them.
    const left = this.#endHungUp(0).catch(() => undefined)
    await Promise.race([left, sleep(closingMs, undefined, { ref: false })])
    await this.#connection.close()
    await this.records.close()
  }

  #place(call: Outgoing, on: (event: OutgoingEvent) => void): OutgoingLeg {
    const { callId } = call
    const live: LiveLeg = { callId, sipId: sipIdOf(call), isAnswered: false, on }
    this.#live.add(live)
    const leg = this.#connection.place(call, event => {
      if (!this.#live.has(live)) return
      if (event.kind === 'answered') live.isAnswered = true
      if (event.kind === 'rejected' || event.kind === 'ended') this.#forget(live)
      if (event.kind === 'rejected' && event.edge === 'lost') this.#endLater(live)
      on(event)
    })
    return {
      hangUp: () => {
        if (!this.#live.has(live)) return
        this.#forget(live)
        this.#endLater(live)
        if (this.#connection.isConnected) leg.hangUp()
      },
    }
  }

  #forget(live: LiveLeg): void {
    this.#live.delete(live)
    this.#unsure.delete(live)
  }

  #endLater({ callId, sipId }: LiveLeg): void {
    this.#hungUp.set(sipId, { callId, atMs: this.#clock.monotonicMs(), tries: 0 })
  }

  #reconnected(): void {
    for (const live of this.#live) this.#unsure.add(live)
    this.#onBeat()
  }

  #onBeat(): void {
    if (this.#beating) return
    this.#beating = true
    this.#beats += 1
    if (this.#beats % beatsBetweenComparisons === 0)
      for (const live of this.#live) if (live.isAnswered) this.#unsure.add(live)
    Promise.all([this.#ask(), this.#compare(), this.#endHungUp(beatMs)])
      .catch(error =>
        this.#log.warn({ edge: this.name, err: error }, 'the records of an edge cannot be read'),
      )
      .finally(() => {
        this.#beating = false
      })
  }

  async #ask(): Promise<void> {
    const answers = await Promise.all([this.media.isReachable(), this.records.isReachable()])
    const isThere = answers.every(Boolean)
    if (isThere === this.#isThere) return
    this.#isThere = isThere
    const [media, records] = answers
    if (isThere) this.#log.info({ edge: this.name }, 'an edge answers')
    else this.#log.warn({ edge: this.name, media, records }, 'an edge does not answer')
  }

  /** @throws when the edge's Redis cannot be reached; what was not compared is compared at the next beat */
  async #compare(): Promise<void> {
    for (const live of [...this.#unsure]) {
      // Without a connection its answer cannot have come.
      if (!this.#connection.isConnected) return
      const record = await this.records.find(live.callId)
      if (this.#unsure.delete(live)) this.#apply(live, record)
    }
  }

  #apply(live: LiveLeg, record: EdgeRecord | undefined): void {
    if (live.isAnswered) {
      if (record?.endedAtMs === undefined) return
      this.#forget(live)
      live.on({ kind: 'ended', endedAtMs: record.endedAtMs })
      return
    }
    // Its answers went to the lost connection: it may ring, and nobody could be heard.
    this.#forget(live)
    this.#endLater(live)
    live.on({ kind: 'rejected', code: 503, edge: 'lost' })
  }

  /**
   * Ends calls that we hung up at least so long ago, and that go on by their records: a BYE may have been lost.
   * @throws when the edge cannot be reached
   */
  async #endHungUp(agoMs: number): Promise<void> {
    const now = this.#clock.monotonicMs()
    for (const [sipId, hungUp] of [...this.#hungUp]) {
      if (now - hungUp.atMs < agoMs) continue
      const record = await this.records.find(hungUp.callId)
      const goesOn = record?.sip.id === sipId && record.endedAtMs === undefined
      if (!goesOn || hungUp.tries >= maxHangUps) {
        this.#hungUp.delete(sipId)
      } else {
        hungUp.tries += 1
        await this.records.hangUp(record)
      }
    }
  }
}
