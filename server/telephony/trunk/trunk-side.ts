import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { CarrierCause } from '#lib/calls/call-end.ts'
import type { BrowserSdp } from '../exchange/browser-sdp.ts'
import type { FarSide, FarSideOptions } from '../exchange/far-side.ts'
import type { Logger } from '../exchange/logger.ts'
import type { Digit } from '../exchange/media/clips.ts'
import type { StreamObservation } from '../exchange/media/level-meter.ts'
import { frameMs } from '../exchange/media/mulaw.ts'
import type { Edge } from './edge.ts'
import { type EdgeRecord, recordedAnswerMs } from './edge-records.ts'
import { causeOfRejection, movesOn, outcomeOfRejection } from './failover.ts'
import { MediaHostError } from './media-host.ts'
import { framesUntilHeard, MediaWatch } from './media-watch.ts'
import { ringbackWav } from './ringback.ts'
import type { Route, RoutedCall } from './routes.ts'
import { type OutgoingEvent, type OutgoingLeg, sipIdOf } from './signalling.ts'
import { addressesFor } from './sip-addresses.ts'
import type { AttemptOutcome, CarrierAttempt } from './trunk-books.ts'

export interface TrunkSideServices {
  readonly log: Logger
  /** The carriers for a call, best first. Empty: none sells this number, or none for this rate. */
  readonly routesTo: (call: RoutedCall) => readonly Route[]
  /** Once for each carrier that is tried, as soon as it is known how it went. */
  readonly onAttempt: (attempt: CarrierAttempt) => void
  /** An edge that is there, and none of these; undefined if there is none. */
  readonly edgeFor: (avoided: ReadonlySet<Edge>) => Edge | undefined
  readonly attestationOf: (callerNumber: string) => 'A' | 'B' | undefined
}

/** One carrier that is tried. */
interface Attempt {
  /** Counts the carriers tried for this call, from 0. */
  readonly number: number
  readonly beganAt: Date
  readonly edge: Edge
  readonly route: Route
  /** The carriers that are left. */
  readonly others: readonly Route[]
  /** Of the sound at the media host. */
  readonly mediaId: string
  leg: OutgoingLeg | undefined
  /** When the next carrier is asked, unless this one has answered anything; undefined while nothing is asked. */
  giveUpAtMs: number | undefined
  isTaken: boolean
  /** What the browser hears. `ringing`: nothing yet, but our ringback as soon as it is connected. */
  sound: 'none' | 'ringing' | 'ringback' | 'carrier'
  /** The last SDP of the carrier; undefined before its sound. */
  carrierSdp: string | undefined
  isReported: boolean
}

/** A later offer of the browser, and what its answer leads to. */
interface Reoffer {
  readonly offer: BrowserSdp
  /** Undefined: another offer has come since, or the call has ended. */
  readonly resolve: (answer: string | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Until the browser has got what was still sent of the ringback. */
const ringbackOnTheWayMs = 100
/** For a carrier's first answer, before the call moves on. */
const firstAnswerMs = 1500
/** By which the edge ends a call later than our server, which ends it to the millisecond. */
const slackMs = 1000
/**
 * For 2.6 s after the answer, which a carrier bills, the media host has counted nothing of the browser. The end takes some time too:
 * 3 s in all. Counted in looks that it answered, so that neither its being slow nor ours cuts a call.
 */
const unheardLooks = 2600 / frameMs / framesUntilHeard
/** As long after the answer the media host still cannot be asked. Short enough for the refund of short calls. */
const unaskedFrames = 8000 / frameMs
/** The edge writes down the end of a call when the carrier has confirmed it. A lost BYE is sent again for a while. */
const recordLookMs = 3000
const recordLooks = 10

/**
 * A call over a trunk: one carrier after the other, until one takes it. Its sound passes a media host and never comes here.
 * Everything that waits is done in order (`#inOrder`); what comes after the end is dropped.
 */
export class TrunkSide implements FarSide {
  /** Several carriers may be tried, and a telephone far away takes seconds to ring. */
  readonly ringWithinMs = 45_000
  readonly #services: TrunkSideServices
  readonly #options: FarSideOptions
  #work: Promise<void> = Promise.resolve()
  #attempt: Attempt | undefined
  #attempts = 0
  /** Edges that could not place this call. */
  readonly #avoided = new Set<Edge>()
  #offer: BrowserSdp
  /** The browser's last offer within the call, until its turn comes. */
  #reoffer: Reoffer | undefined
  #limitMs: number
  /** What the edge was told; undefined before a carrier is tried. */
  #edgeLimitMs: number | undefined
  #answeredAtMs: number | undefined
  /** Frame of the first tick after the answer. */
  #answeredInFrame: number | undefined
  #isOpen = false
  #over = false
  #looking = false
  readonly #sound: MediaWatch

  constructor(services: TrunkSideServices, options: FarSideOptions) {
    this.#services = services
    this.#options = options
    this.#offer = options.offer
    this.#limitMs = options.limitMs
    this.#sound = new MediaWatch(options.clock)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get heardAtMs(): number | undefined {
    return this.#sound.heardAtMs
  }

  get isQuiet(): boolean {
    return this.#sound.isQuiet
  }

  get hasPassedOn(): boolean {
    return this.#sound.hasPassedOn
  }

  get hasHeardCaller(): boolean | undefined {
    return this.#sound.hasHeardCaller
  }

  observe(): { received: StreamObservation; sent: StreamObservation } {
    return this.#sound.observe()
  }

  begin(): void {
    this.#inOrder(async () => {
      await this.#tryNext(this.#services.routesTo(this.#options))
    })
  }

  press(digit: Digit): void {
    this.#inOrder(
      this.#orWarn('a digit was not sent', async () => {
        const { edge, mediaId } = this.#attempt ?? {}
        if (mediaId !== undefined) await edge?.media.sendDigit(mediaId, digit)
      }),
    )
  }

  async answer(offer: BrowserSdp): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
    const earlier = this.#reoffer
    this.#reoffer = { offer, resolve, reject }
    // A browser that sends many delays nothing that waits after them, such as the carrier's answer.
    earlier?.resolve(undefined)
    if (earlier === undefined) this.#inOrder(() => this.#takeReoffer())
    return await promise
  }

  answered(atMs: number): void {
    this.#answeredAtMs = atMs
    this.#sound.answered()
    if (this.#edgeLimitMs !== this.#limitMs) this.setLimit(this.#limitMs)
  }

  setLimit(limitMs: number): void {
    this.#limitMs = limitMs
    this.#inOrder(
      this.#orWarn('the limit of a call was not moved at its edge', async () => {
        if (this.#answeredAtMs === undefined) return
        const leftMs = this.#answeredAtMs + this.#limitMs - this.#options.clock.monotonicMs()
        const records = this.#attempt?.edge.records
        const record = await records?.find(this.#options.callId)
        const limit = {
          fromAnswer: secondsOf(this.#limitMs + slackMs),
          fromNow: secondsOf(leftMs + slackMs),
        }
        if (record !== undefined) await records?.setLimit(record, limit)
      }),
    )
  }

  tick(frame: number): void {
    this.#giveUpIfSilent()
    this.#endIfUnheard(frame)
    if (!this.#isOpen || this.#looking || !this.#sound.isDue(frame)) return
    this.#looking = true
    this.#look()
      .catch(error => this.#services.log.warn({ err: error }, 'a media host could not be asked'))
      .finally(() => {
        this.#looking = false
      })
  }

  async ended(end: CarrierCause): Promise<void> {
    this.#over = true
    this.#reoffer?.resolve(undefined)
    this.#attempt?.leg?.hangUp()
    if (this.#attempt !== undefined) this.#report(this.#attempt, outcomeAtEnd(this.#attempt, end))
    // What was being done may have begun another attempt.
    await this.#work
    const attempt = this.#attempt
    // It frees the ports by itself when no sound comes any more.
    await attempt?.edge.media
      .close(attempt.mediaId)
      .catch(error => this.#services.log.warn({ err: error }, 'the sound of a call was not closed'))
  }

  /** @returns undefined if the edge has no record of it, or cannot be asked */
  async recordedMs(): Promise<number | null | undefined> {
    const attempt = this.#attempt
    if (attempt?.leg === undefined) return undefined
    let record: EdgeRecord | undefined
    for (let looks = 0; looks < recordLooks && record?.endedAtMs === undefined; looks++) {
      await sleep(recordLookMs, undefined, { ref: false })
      record = await attempt.edge.records.find(this.#options.callId).catch(() => undefined)
    }
    const { callId, clock } = this.#options
    if (record?.sip.id !== sipIdOf({ callId, attempt: attempt.number })) return undefined
    // One that has no end goes on at the carrier.
    return recordedAnswerMs(record, record.endedAtMs ?? clock.now().getTime())
  }

  async #takeReoffer(): Promise<void> {
    const waiting = this.#reoffer
    this.#reoffer = undefined
    if (waiting === undefined) return
    const { offer, resolve, reject } = waiting
    const attempt = this.#attempt
    if (attempt === undefined) return reject(new Error('the call has no carrier'))
    this.#offer = offer
    const { edge, mediaId, route, carrierSdp } = attempt
    try {
      const carrierOffer = await edge.media.offer(mediaId, offer, route.carrier.media)
      resolve(await edge.media.answer(mediaId, carrierSdp ?? nowhere(carrierOffer)))
    } catch (error) {
      reject(error)
    }
  }

  async #tryNext(routes: readonly Route[]): Promise<void> {
    const [route, ...others] = routes
    const { callId, to, from, clock } = this.#options
    const edge = this.#services.edgeFor(this.#avoided)
    if (route === undefined || edge === undefined) {
      const isOurs = edge === undefined
      const message = isOurs ? 'no edge can place a call' : 'no carrier takes a call'
      this.#services.log.warn({ callId, attempts: this.#attempts }, message)
      this.#options.events.hungUp(isOurs ? 'service_failed' : 'failed')
      return
    }
    const number = this.#attempts++
    const mediaId = `${callId}.${number}`
    const attempt: Attempt = {
      ...{ number, beganAt: clock.now(), edge, route, others, mediaId },
      ...{ leg: undefined, giveUpAtMs: undefined, isTaken: false, sound: 'none' },
      ...{ carrierSdp: undefined, isReported: false },
    }
    const { carrier } = route
    this.#attempt = attempt
    const offer = await edge.media.offer(mediaId, this.#offer, carrier.media).catch((error: unknown) => {
      this.#services.log.warn({ callId, err: error }, 'a media host takes no call')
      // The offer may be at fault, and is not carried from one media host to the next.
      if (error instanceof MediaHostError && error.kind === 'refused') throw error
      return undefined
    })
    if (this.#over) return
    if (offer === undefined) return await this.#avoid(attempt)
    this.#edgeLimitMs = this.#limitMs
    attempt.leg = edge.signalling.place(
      {
        callId,
        attempt: number,
        carrier: carrier.set,
        ...addressesFor(carrier, { to, from }),
        limitSeconds: secondsOf(this.#limitMs + slackMs),
        attestation: carrier.signed ? this.#services.attestationOf(from) : undefined,
        offer,
      },
      event => {
        attempt.isTaken = true
        this.#onBilling(attempt, event)
        this.#inOrder(() => this.#on(attempt, event, offer))
      },
    )
    attempt.giveUpAtMs = clock.monotonicMs() + firstAnswerMs
  }

  /** What the carrier's bill begins and ends with counts at once, whatever waits in the queue before it. */
  #onBilling(attempt: Attempt, event: OutgoingEvent): void {
    if (this.#over || attempt !== this.#attempt) return
    const { clock, events } = this.#options
    if (event.kind === 'answered') {
      this.#report(attempt, event.sdp === undefined ? 'failed' : 'answered')
      events.answered(clock.monotonicMs())
    }
    if (event.kind === 'ended') events.hungUp('callee_hung_up', this.#monotonic(event.endedAtMs))
  }

  #endIfUnheard(frame: number): void {
    if (this.#answeredAtMs === undefined || this.#sound.hasHeardCaller) return
    this.#answeredInFrame ??= frame
    const { events } = this.#options
    if (this.#sound.looksInVain >= unheardLooks) events.hungUp('connection_lost')
    else if (this.#sound.looksInVain === 0 && frame - this.#answeredInFrame >= unaskedFrames)
      events.hungUp('service_failed')
  }

  /** The same carrier by another edge. */
  async #avoid({ edge, route, others }: Attempt): Promise<void> {
    this.#avoided.add(edge)
    await this.#tryNext([route, ...others])
  }

  #giveUpIfSilent(): void {
    const attempt = this.#attempt
    if (attempt?.giveUpAtMs === undefined || attempt.isTaken) return
    if (attempt.giveUpAtMs > this.#options.clock.monotonicMs()) return
    attempt.giveUpAtMs = undefined
    this.#inOrder(() => this.#giveUp(attempt))
  }

  /** The carrier may only be slow: it is told to cancel before another one is asked. */
  async #giveUp(attempt: Attempt): Promise<void> {
    // Where this process was late, the answer may be there already, and not read yet.
    await setImmediate()
    if (this.#over || attempt.isTaken) return
    const { callId } = this.#options
    this.#services.log.info({ callId, carrier: attempt.route.carrier.name }, 'a carrier says nothing')
    attempt.leg?.hangUp()
    this.#report(attempt, 'failed')
    await attempt.edge.media.close(attempt.mediaId)
    await this.#tryNext(attempt.others)
  }

  async #on(attempt: Attempt, event: OutgoingEvent, offer: string): Promise<void> {
    const { events } = this.#options
    if (attempt !== this.#attempt) return
    switch (event.kind) {
      case 'trying':
      case 'ended':
        return
      case 'ringing':
        if (event.sdp !== undefined) await this.#hearCarrier(attempt, event.sdp)
        else if (attempt.sound === 'none') await this.#hearRingback(attempt, offer)
        return
      case 'answered':
        if (event.sdp === undefined) events.hungUp('failed')
        else await this.#hearCarrier(attempt, event.sdp)
        return
      case 'rejected': {
        const rejection = { ...event, rang: attempt.sound !== 'none' }
        const { callId } = this.#options
        const { code, edge } = event
        const { name: carrier, ownFailures } = attempt.route.carrier
        this.#services.log.info({ callId, carrier, code, edge }, 'a carrier rejected a call')
        this.#report(attempt, outcomeOfRejection(rejection, ownFailures))
        if (!movesOn(rejection, ownFailures)) {
          events.hungUp(causeOfRejection(rejection))
          return
        }
        await attempt.edge.media.close(attempt.mediaId)
        if (edge === 'no_record' || edge === 'edge_down') await this.#avoid(attempt)
        else await this.#tryNext(attempt.others)
        return
      }
      case 'reoffered':
        event.reply(
          event.sdp === undefined ? offer : await this.#accept(attempt, event.sdp).catch(() => undefined),
        )
        return
      default:
        event satisfies never
    }
  }

  async #hearCarrier(attempt: Attempt, sdp: string): Promise<void> {
    const { edge, mediaId, sound: before } = attempt
    attempt.sound = 'carrier'
    attempt.carrierSdp = sdp
    if (before === 'ringback') {
      await edge.media.stopPlaying(mediaId)
      await sleep(ringbackOnTheWayMs)
    }
    this.#rang(await edge.media.answer(mediaId, sdp))
  }

  /** The carrier sends no sound yet: the browser connects all the same, and hears our ringback. */
  async #hearRingback(attempt: Attempt, offer: string): Promise<void> {
    attempt.sound = 'ringing'
    this.#rang(await attempt.edge.media.answer(attempt.mediaId, nowhere(offer)))
    await this.#playRingback()
  }

  /**
   * Not before the browser is connected. Ringback and carrier are two streams (SSRC), and a browser plays the one that came
   * last: it must not be the ringback's, which would come late where a carrier answers at once.
   */
  async #playRingback(): Promise<void> {
    const attempt = this.#attempt
    if (attempt?.sound !== 'ringing' || this.#sound.heardAtMs === undefined) return
    attempt.sound = 'ringback'
    await attempt.edge.media.playToBrowser(attempt.mediaId, ringbackWav)
  }

  /** The carrier changes where its sound comes from. @returns our SDP for it: the same as before */
  async #accept(attempt: Attempt, sdp: string): Promise<string> {
    const { edge, mediaId, route } = attempt
    attempt.carrierSdp = sdp
    await edge.media.answer(mediaId, sdp)
    return await edge.media.offer(mediaId, this.#offer, route.carrier.media)
  }

  /** Only the first outcome of an attempt that was placed counts. */
  #report(attempt: Attempt, outcome: AttemptOutcome): void {
    if (attempt.leg === undefined || attempt.isReported) return
    attempt.isReported = true
    const { number, beganAt, route } = attempt
    this.#services.onAttempt({
      ...{ callId: this.#options.callId, attempt: number, beganAt, outcome },
      ...{ carrier: route.carrier.name, costMicroUsd: route.costMicroUsd },
    })
  }

  /** @param atMs milliseconds since 1970; undefined: now */
  #monotonic(atMs: number | undefined): number | undefined {
    const { clock } = this.#options
    return atMs && clock.monotonicMs() - Math.max(0, clock.now().getTime() - atMs)
  }

  #rang(sdp: string): void {
    if (this.#isOpen || this.#over) return
    this.#isOpen = true
    this.#options.events.rang(sdp)
  }

  async #look(): Promise<void> {
    const { edge, mediaId } = this.#attempt ?? {}
    if (edge === undefined || mediaId === undefined) return
    const counts = await edge.media.counts(mediaId)
    if (this.#over || !this.#sound.note(counts)) return
    this.#inOrder(() => this.#playRingback())
    this.#options.events.connected(() => undefined)
  }

  /** A step without which the call goes on. */
  #orWarn(what: string, step: () => Promise<unknown>): () => Promise<unknown> {
    return async () => {
      try {
        await step()
      } catch (error) {
        this.#services.log.warn({ callId: this.#options.callId, err: error }, what)
      }
    }
  }

  /** One after the other. A step that fails ends the call; after the end nothing is begun. */
  #inOrder(step: () => Promise<unknown>): void {
    this.#work = this.#work.then(async () => {
      if (this.#over) return
      try {
        await step()
      } catch (error) {
        this.#services.log.error({ callId: this.#options.callId, err: error }, 'a call over a trunk failed')
        if (this.#attempt !== undefined) this.#report(this.#attempt, 'not_placed')
        this.#options.events.hungUp('service_failed')
      }
    })
  }
}

/** How an attempt went that the call's end cut off. A carrier that let the caller wait in silence failed, unless the fault was ours. */
function outcomeAtEnd({ sound }: Attempt, end: CarrierCause): AttemptOutcome {
  if (sound !== 'none') return 'unanswered'
  if (end === 'service_failed') return 'not_placed'
  return end === 'failed' ? 'failed' : 'abandoned'
}

/** An answer to our own offer that names no place for sound: port 9 is nobody's (RFC 4566, 5.14). */
function nowhere(offer: string): string {
  return offer.replace(/^m=audio \d+/m, 'm=audio 9').replace(/^a=rtcp:.*\r\n/m, '')
}

/** Whole seconds, rounded up: the server itself ends calls to the millisecond, and the edge when no server does. */
function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
