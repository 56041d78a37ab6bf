import { atom, type ReadableAtom } from 'nanostores'
import type { VoiceRoute, voiceToken } from '#lib/api/token.ts'
import type { Result } from '#lib/result.ts'
import { type Call, type CallEvent, type Callee, isAnswered, isLive, noCall, step } from '#lib/rules/call.ts'
import { type CallEnding, tokenEnding } from '#lib/rules/call-endings.ts'
import type { LineSample } from '#lib/rules/quality.ts'
import type { createDigitQueue, DigitQueue } from '#voice/digit-queue.ts'
import { type DigitQueueState, emptyDigits } from '#voice/digit-queue-state.ts'
import { closeMicrophone, type MicrophoneFailure } from '#voice/microphone.ts'
import type { Line, OpenVoice, VoiceClient, VoiceEvent } from '#voice/port.ts'
import type { ApiResult } from './transport.ts'

/** Between two requests for a fresh token while the server cannot be reached. */
const renewalPauseMs = 3000

/** For so long the page says that another microphone has taken over. */
const microphoneNewsMs = 6000

/** What a line needs of the world. */
export interface CallLinePorts {
  /** Asks for a token. In a call in progress a failure must not log anybody out. */
  readonly requestToken: (inCall: boolean) => Promise<ApiResult<typeof voiceToken>>
  /** What the call shows of the caller: E.164, or undefined for the public number. */
  readonly callerId: () => Promise<string | undefined>
  /** What the user has chosen to call with, by the browser's ids. */
  readonly chosenSound: () => Pick<Line, 'microphoneId' | 'speakerId'>
  readonly openMicrophone: () => Promise<Result<MediaStream, MicrophoneFailure>>
  readonly loadVoice: (route: VoiceRoute) => Promise<OpenVoice>
  readonly loadDigitQueue: () => Promise<typeof createDigitQueue>
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
  readonly wait: (ms: number, callback: () => void) => void
}

export interface CallLine {
  readonly $call: ReadableAtom<Call>
  readonly $digits: ReadableAtom<DigitQueueState>
  /** What was measured of the answered call in the last second; null outside of one, and before the first. */
  readonly $sample: ReadableAtom<LineSample | null>
  /**
   * Places a call to a checked number. Does nothing while another is in progress.
   * @param rate micro-dollars a minute; it may come late, and the call does not wait for it. Who is told that it is free by
   * the time it is asked for is not charged: then the server refuses it
   * @param admission whether the caller may call at all: null, or how it ends; nothing is asked for before
   * @param testToken asks for the token of a test call, which this is
   */
  place(
    callee: Callee,
    rate: Promise<number | null>,
    admission?: Promise<CallEnding | null>,
    testToken?: () => Promise<ApiResult<typeof voiceToken>>,
  ): Promise<void>
  hangUp(): void
  setMuted(muted: boolean): void
  sendDigits(text: string): void
  cancelDigits(): void
  /** The server refused or ended the call in progress, in words of its own. */
  refuse(message: string, kind?: 'refused' | 'not_free'): void
  /** What the server says that a minute of the call in progress costs, in micro-dollars; 0 when it is free. */
  price(rateMicroUsd: number): void
  /**
   * Changes over to another microphone or speaker in the call, by the browser's id; undefined: the system's own choice.
   * @returns whether the call uses it; true where there is none
   */
  changeSound(kind: 'microphone' | 'speaker', deviceId: string | undefined): Promise<boolean>
  /** What the call in progress speaks into; null where there is none. */
  microphone(): MediaStream | null
  /** The server's id of the call in progress, where the voice service tells none. */
  identify(callId: string): void
}

/** The one line of this page: the only writer of its call and its digits. */
export function createCallLine(ports: CallLinePorts): CallLine {
  const $call = atom<Call>(noCall)
  const $digits = atom<DigitQueueState>(emptyDigits)
  const $sample = atom<LineSample | null>(null)
  let attempts = 0
  let client: VoiceClient | null = null
  let createQueue: typeof createDigitQueue | null = null
  let queue: DigitQueue | null = null
  /** The microphone is silent, as far as the client was told. */
  let silenced = false
  /** The attempt for which a fresh token is being asked for. */
  let renewing: number | null = null

  function apply(event: CallEvent): void {
    const call = step($call.get(), event)
    if (call !== $call.get()) $call.set(call)
  }

  function isCurrent(attempt: number): boolean {
    const call = $call.get()
    return isLive(call) && call.attempt === attempt
  }

  function end(attempt: number, ending: CallEnding): void {
    if (!isCurrent(attempt)) return
    const ended = client
    client = null
    queue?.cancel()
    queue = null
    ended?.destroy()
    $sample.set(null)
    apply({ kind: 'ended', attempt, ending, atMs: ports.nowMs() })
  }

  /** Silent by the caller's own choice, and while digits leave: menus listen for voices as well. */
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

  /**
   * Asks for a fresh token, again and again while no answer comes: a call goes on without one, but a line
   * that breaks then could not be taken up again. A refusal is final.
   */
  async function renewToken(attempt: number): Promise<void> {
    if (renewing === attempt) return
    renewing = attempt
    const token = await ports.requestToken(true)
    renewing = null
    if (!isCurrent(attempt)) return
    if (token.ok) client?.updateToken(token.value.token)
    else if (token.status === 0 || token.status >= 500)
      ports.wait(renewalPauseMs, () => {
        if (isCurrent(attempt)) void renewToken(attempt)
      })
  }

  /** The voice service alone knows which of the user's calls this page is in: the server tells every page of all. */
  function identify(attempt: number, callId: string | undefined): void {
    if (callId !== undefined) apply({ kind: 'identified', attempt, callId })
  }

  function hearMicrophone(attempt: number, state: 'lost' | 'changed'): void {
    apply({ kind: 'microphone', attempt, state })
    if (state === 'lost') return
    ports.wait(microphoneNewsMs, () => {
      const call = $call.get()
      if (isAnswered(call) && call.microphone === 'changed')
        apply({ kind: 'microphone', attempt, state: 'fine' })
    })
  }

  function playExtension(): void {
    const call = $call.get()
    if (isLive(call)) queue?.play(call.callee.extension)
  }

  function hear(attempt: number, event: VoiceEvent): void {
    if (!isCurrent(attempt)) return
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
        playExtension()
        break
      case 'sample':
        $sample.set(event.sample)
        break
      case 'reconnecting':
        queue?.hold()
        apply({ kind: 'reconnecting', attempt, lost: event.lost })
        break
      case 'sound':
        apply({ kind: 'sound', attempt, arriving: event.arriving })
        break
      case 'microphone':
        hearMicrophone(attempt, event.state)
        break
      case 'reconnected':
        apply({ kind: 'reconnected', attempt })
        queue?.release()
        break
      case 'ended':
        end(attempt, event.ending)
        break
      case 'token_expiring':
        void renewToken(attempt)
        break
      default:
        event satisfies never
    }
  }

  async function place(
    callee: Callee,
    rate: Promise<number | null>,
    admission: Promise<CallEnding | null> = Promise.resolve(null),
    testToken?: () => Promise<ApiResult<typeof voiceToken>>,
  ): Promise<void> {
    if (isLive($call.get())) return
    attempts += 1
    const attempt = attempts
    $digits.set(emptyDigits)
    silenced = false
    apply({ kind: 'dialled', attempt, callee })
    /** The server is asked for a call that nobody has promised to be free: from then on it is too late to. */
    let charged = false
    void rate.then(rateMicroUsd => {
      if (rateMicroUsd !== 0 || !charged) apply({ kind: 'priced', attempt, rateMicroUsd })
    })
    // As chosen at the press, whatever is chosen while the call is being set up.
    const showing = ports.callerId()
    const refusal = await admission
    if (!isCurrent(attempt)) return
    if (refusal !== null) return end(attempt, refusal)
    const token = await (testToken?.() ?? ports.requestToken(false))
    if (!isCurrent(attempt)) return
    if (!token.ok) return end(attempt, tokenEnding(token.status, token.body?.reason))
    const loading = Promise.all([ports.loadVoice(token.value.route), ports.loadDigitQueue()]).catch(
      () => null,
    )
    const microphone = await ports.openMicrophone()
    const equipment = await loading
    const callerId = await showing
    if (!microphone.ok) return end(attempt, { kind: microphone.code })
    if (!isCurrent(attempt) || equipment === null) {
      closeMicrophone(microphone.value)
      return end(attempt, { kind: 'client_disconnected' })
    }
    const [openVoice, openDigits] = equipment
    createQueue = openDigits
    try {
      client = openVoice(token.value, event => hear(attempt, event))
      apply({ kind: 'connecting', attempt, attemptId: client.attempt })
      const call = $call.get()
      const expectsFree = testToken === undefined && isLive(call) && call.rateMicroUsd === 0
      charged = testToken === undefined && !expectsFree
      client.connect({
        to: callee.e164,
        microphone: microphone.value,
        ...ports.chosenSound(),
        ...(callerId === undefined ? {} : { callerId }),
        ...(testToken && { test: true }),
        ...(expectsFree && { expectsFree }),
      })
    } catch (error) {
      console.error('The voice client could not be started.', error)
      closeMicrophone(microphone.value)
      end(attempt, { kind: 'client_disconnected' })
    }
  }

  return {
    $call,
    $digits,
    $sample,
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
    refuse(message, kind = 'refused') {
      const call = $call.get()
      if (isLive(call)) end(call.attempt, { kind, message })
    },
    price(rateMicroUsd) {
      const call = $call.get()
      if (isLive(call)) apply({ kind: 'priced', attempt: call.attempt, rateMicroUsd })
    },
    changeSound: async (kind, deviceId) => client === null || client.changeSound(kind, deviceId),
    microphone: () => client?.microphone() ?? null,
    identify(callId) {
      const call = $call.get()
      if (isLive(call)) identify(call.attempt, callId)
    },
  }
}
