import { atom, type ReadableAtom } from 'nanostores'
import type { CallObstacle, EndReason, RejectedKind } from '#lib/calls/end-reasons.ts'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import {
  type Call,
  type CallEvent,
  type Callee,
  isAnswered,
  isLive,
  type MicrophoneState,
  noCall,
  step,
} from '#voice/call.ts'
import type { createDigitQueue, DigitQueue } from '#voice/digit-queue.ts'
import { type DigitQueueState, emptyDigits } from '#voice/digit-queue-state.ts'
import { closeMicrophone } from '#voice/microphone.ts'
import type { ConnectOptions, VoiceClient, VoiceEvent } from '#voice/port.ts'
import type { LineSample } from '#voice/quality.ts'
import { createTokenRenewal, openEquipment, type TokenAnswer } from './call-equipment.ts'
import { createReadyVoices, type ReadyVoicePorts } from './ready-voice.ts'

/** How long the page says that another microphone has taken over. */
const microphoneNoticeMs = 6000

export interface CallLinePorts extends ReadyVoicePorts {
  /** Null if nothing does. */
  readonly findObstacle: () => CallObstacle | null
  /** E.164; undefined for a public number. */
  readonly callerId: () => Promise<string | undefined>
  /** By the browser's device ids. */
  readonly chosenSound: () => Pick<ConnectOptions, 'microphoneId' | 'speakerId'>
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
}

export interface Placement {
  /** Its number is checked. */
  readonly callee: Callee
  /**
   * Micro-dollars per minute; may come late, as the call does not wait for it. If the page shows the call as free when
   * it is placed, the server honours that or rejects the call.
   */
  readonly rate: Promise<number | null>
  /** Null, or why the user may not call. No token is requested before. Omitted if the user may. */
  readonly admission?: Promise<EndReason | null>
  /** Requests the token of a test call; its presence makes this one. */
  readonly testToken?: () => Promise<TokenAnswer>
}

export interface CallLine {
  readonly $call: ReadableAtom<Call>
  readonly $digits: ReadableAtom<DigitQueueState>
  /** Of the last second of the answered call; null outside a call and before the first sample. */
  readonly $sample: ReadableAtom<LineSample | null>
  /** The last message of real-time text in this call; null before the first. */
  readonly $textMessage: ReadableAtom<RealTimeText | null>
  /** Prepares the voice client for a call that is likely. Does nothing if it is prepared, or during a call. */
  prepare(): void
  /** Closes a prepared client; for a user who is signed out. */
  discardPrepared(): void
  /** Does nothing during another call. */
  place(placement: Placement): Promise<void>
  hangUp(): void
  setMuted(muted: boolean): void
  sendDigits(text: string): void
  cancelDigits(): void
  sendText(message: RealTimeText): void
  /** @param message the server's */
  reject(message: string, kind?: RejectedKind): void
  /** @param rateMicroUsd per minute, by the server; 0 if the call is free */
  price(rateMicroUsd: number): void
  /** @param deviceId undefined for the system's choice @returns whether the live call uses it; true without a call */
  changeSound(kind: 'microphone' | 'speaker', deviceId: string | undefined): Promise<boolean>
  /** The stream that the live call sends; null without one. */
  microphone(): MediaStream | null
  /** What the callee's sound arrives in; null without a call. */
  calleeTrack(): MediaStreamTrack | null
  /** For voice services that do not report the server's id. */
  identify(callId: string): void
}

/** Creates the page's one phone: the only writer of its call and digits. */
export function createCallLine(ports: CallLinePorts): CallLine {
  const $call = atom<Call>(noCall)
  const $digits = atom<DigitQueueState>(emptyDigits)
  const $sample = atom<LineSample | null>(null)
  const $textMessage = atom<RealTimeText | null>(null)
  let attempts = 0
  let client: VoiceClient | null = null
  let createQueue: typeof createDigitQueue | null = null
  let queue: DigitQueue | null = null
  /** What the client was last set to. */
  let silenced = false
  const readyVoices = createReadyVoices(ports)
  const renewToken = createTokenRenewal(ports, isCurrent, token => client?.updateToken(token))

  function apply(event: CallEvent): void {
    const call = step($call.get(), event)
    if (call !== $call.get()) $call.set(call)
  }

  function isCurrent(attempt: number): boolean {
    const call = $call.get()
    return isLive(call) && call.attempt === attempt
  }

  function end(attempt: number, endReason: EndReason): void {
    if (!isCurrent(attempt)) return
    const ended = client
    client = null
    queue?.cancel()
    queue = null
    ended?.destroy()
    $sample.set(null)
    apply({ kind: 'ended', attempt, endReason, atMs: ports.nowMs() })
  }

  /** Mutes by choice, and while digits are sent: voice menus also listen for speech. */
  function holdMicrophone(): void {
    const call = $call.get()
    const silent = isAnswered(call) && (call.muted || $digits.get().sending)
    if (silent === silenced) return
    silenced = silent
    client?.mute(silent)
  }

  function openQueue(voice: VoiceClient): DigitQueue | null {
    if (createQueue === null) return null
    return createQueue({
      send: digit => voice.sendDigits(digit),
      wait: ports.wait,
      onChange: state => {
        if (client !== voice) return
        $digits.set(state)
        holdMicrophone()
      },
    })
  }

  /** Only the voice service knows this page's call; the server sends each page all of the user's calls. */
  function identify(attempt: number, callId: string | undefined): void {
    if (callId !== undefined) apply({ kind: 'identified', attempt, callId })
  }

  function applyMicrophoneState(attempt: number, state: MicrophoneState): void {
    apply({ kind: 'microphone', attempt, state })
    if (state !== 'changed') return
    ports.wait(microphoneNoticeMs, () => {
      const call = $call.get()
      if (isAnswered(call) && call.microphone === 'changed')
        apply({ kind: 'microphone', attempt, state: 'fine' })
    })
  }

  function applyVoiceEvent(attempt: number, event: VoiceEvent): void {
    const call = $call.get()
    if (!isLive(call) || call.attempt !== attempt) return
    switch (event.kind) {
      case 'ringing':
        identify(attempt, event.callId)
        apply({ kind: 'ringing', attempt })
        break
      case 'answered':
        identify(attempt, event.callId)
        if (client !== null) queue = openQueue(client)
        apply({ kind: 'answered', attempt, atMs: ports.nowMs() })
        break
      case 'sound_passes':
        queue?.play(call.callee.extension)
        break
      case 'sample':
        $sample.set(event.sample)
        break
      case 'text':
        $textMessage.set(event.message)
        break
      case 'reconnecting':
        queue?.hold()
        apply({ ...event, attempt })
        break
      case 'sound':
        apply({ ...event, attempt })
        break
      case 'microphone':
        applyMicrophoneState(attempt, event.state)
        break
      case 'reconnected':
        apply({ ...event, attempt })
        queue?.release()
        break
      case 'ended':
        end(attempt, event.endReason)
        break
      case 'token_expiring':
        void renewToken(attempt)
        break
      default:
        event satisfies never
    }
  }

  async function place({
    callee,
    rate,
    admission = Promise.resolve(null),
    testToken,
  }: Placement): Promise<void> {
    if (isLive($call.get())) return
    attempts += 1
    const attempt = attempts
    $digits.set(emptyDigits)
    $textMessage.set(null)
    silenced = false
    apply({ kind: 'dialled', attempt, callee })
    const obstacle = ports.findObstacle()
    if (obstacle !== null) return end(attempt, { kind: obstacle })
    /** The server was asked for a charged call; a rate of 0 that arrives later must not show. */
    let charged = false
    void rate.then(rateMicroUsd => {
      if (rateMicroUsd !== 0 || !charged) apply({ kind: 'priced', attempt, rateMicroUsd })
    })
    const callerIdFound = ports.callerId()
    const rejection = await admission
    if (!isCurrent(attempt)) return
    if (rejection !== null) return end(attempt, rejection)
    const onEvent = (event: VoiceEvent) => applyVoiceEvent(attempt, event)
    const equipment = await openEquipment(
      ports,
      {
        prepared: testToken === undefined ? readyVoices.take(onEvent) : Promise.resolve(null),
        requestToken: testToken ?? (() => ports.requestToken(false)),
        onEvent,
      },
      () => isCurrent(attempt),
    )
    if ('kind' in equipment) return end(attempt, equipment)
    const callerId = await callerIdFound
    const { microphone } = equipment
    if (!isCurrent(attempt)) {
      closeMicrophone(microphone)
      equipment.client.destroy()
      return
    }
    client = equipment.client
    createQueue = equipment.createQueue
    apply({ kind: 'connecting', attempt, attemptId: client.attempt })
    const call = $call.get()
    const expectsFree = testToken === undefined && isLive(call) && call.rateMicroUsd === 0
    charged = testToken === undefined && !expectsFree
    const shownRate = charged && isLive(call) ? call.rateMicroUsd : null
    client.connect({
      to: callee.e164,
      microphone,
      ...ports.chosenSound(),
      ...(callerId === undefined ? {} : { callerId }),
      ...(testToken && { test: true }),
      ...(expectsFree && { expectsFree }),
      ...(shownRate && { expectsRateMicroUsd: shownRate }),
    })
  }

  return {
    $call,
    $digits,
    $sample,
    $textMessage,
    prepare() {
      if (!isLive($call.get())) readyVoices.prepare()
    },
    discardPrepared: readyVoices.discard,
    place,
    hangUp() {
      const call = $call.get()
      if (!isLive(call)) return
      if (client === null) end(call.attempt, { kind: 'cancelled' })
      else client.hangUp()
    },
    setMuted(muted) {
      const call = $call.get()
      if (!isAnswered(call)) return
      apply({ kind: 'muted', attempt: call.attempt, muted })
      holdMicrophone()
    },
    sendDigits: text => queue?.add(text),
    cancelDigits: () => queue?.cancel(),
    sendText: message => client?.sendText(message),
    reject(message, kind = 'refused') {
      const call = $call.get()
      if (isLive(call)) end(call.attempt, { kind, message })
    },
    price(rateMicroUsd) {
      const call = $call.get()
      if (isLive(call)) apply({ kind: 'priced', attempt: call.attempt, rateMicroUsd })
    },
    changeSound: async (kind, deviceId) => client === null || client.changeSound(kind, deviceId),
    microphone: () => client?.microphone() ?? null,
    calleeTrack: () => client?.calleeTrack() ?? null,
    identify(callId) {
      const call = $call.get()
      if (isLive(call)) identify(call.attempt, callId)
    },
  }
}
