import type { Call as VendorCall } from '@twilio/voice-sdk'
import { lineCheckPurpose } from '#lib/api/line-check.ts'
import type { VoiceRoute } from '#lib/api/token.ts'
import type { LineFigures } from '#lib/rules/line-check.ts'
import { deviceOptions, loadSdk, type Sdk } from './device-options.ts'
import { closeMicrophone } from './microphone.ts'
import type { VoiceCredential } from './port.ts'

/** One a second; the first is of a line that has only just come up. */
const samplesTaken = 6
const samplesSkipped = 1
/** A line that has not answered by then is no line to call over. */
const connectTimeoutMs = 12_000
/** A line that falls silent brings no more figures. */
const measureTimeoutMs = 11_000

export type LineCheckOutcome =
  | { readonly kind: 'measured'; readonly figures: LineFigures }
  | { readonly kind: 'unreachable' }
  /** The service was reached, and sound does not come through. */
  | { readonly kind: 'no_sound' }

export interface RunningLineCheck {
  /** Never rejects; never settles once it was stopped. */
  readonly outcome: Promise<LineCheckOutcome>
  /** Ends it at once. */
  stop(): void
}

export type StartLineCheck = (credential: VoiceCredential) => RunningLineCheck

/** Rejects when the voice client cannot be loaded. */
export async function loadLineCheck(route: VoiceRoute): Promise<StartLineCheck> {
  const sdk = await loadSdk(route)
  return credential => startLineCheck(sdk, credential)
}

/**
 * Calls nobody over the path of a call, with silence for a voice, and measures for some seconds what becomes of it. The
 * client's own preflight test is not used: it opens the microphone by itself, cannot say that it is a test, plays sounds
 * of its vendor's host, and reports there (docs/decisions/0036-line-check.md).
 */
function startLineCheck(sdk: Sdk, { token, route }: VoiceCredential): RunningLineCheck {
  const silence = createSilence()
  const device = new sdk.Device(token, {
    ...deviceOptions(sdk, route, async () => silence.stream),
    // Nothing is lost with a page that is left now.
    closeProtection: false,
  })
  const { promise: outcome, resolve } = Promise.withResolvers<LineCheckOutcome>()
  let over = false
  let rang = false
  let timer = setTimeout(() => finish({ kind: rang ? 'no_sound' : 'unreachable' }), connectTimeoutMs)

  function release(): void {
    over = true
    clearTimeout(timer)
    device.destroy()
    // A late error without a listener would be thrown.
    device.on('error', () => undefined)
    silence.close()
  }

  function finish(found: LineCheckOutcome): void {
    if (over) return
    release()
    resolve(found)
  }

  function follow(call: VendorCall): void {
    const samples: VendorSample[] = []
    const finishWith = () => finish(outcomeOf(samples))
    call.on('ringing', () => {
      rang = true
    })
    call.on('accept', () => {
      clearTimeout(timer)
      timer = setTimeout(finishWith, measureTimeoutMs)
    })
    call.on('sample', (sample: VendorSample) => {
      samples.push(sample)
      if (samples.length >= samplesSkipped + samplesTaken) finishWith()
    })
    for (const event of ['error', 'disconnect', 'cancel'] as const)
      call.on(event, () =>
        finish(
          samples.length > samplesSkipped ? outcomeOf(samples) : { kind: rang ? 'no_sound' : 'unreachable' },
        ),
      )
  }

  device.on('error', () => finish({ kind: 'unreachable' }))
  device.connect({ params: { To: '', Purpose: lineCheckPurpose } }).then(
    call => (over ? call.disconnect() : follow(call)),
    () => finish({ kind: 'unreachable' }),
  )

  return {
    outcome,
    stop: () => {
      if (!over) release()
    },
  }
}

/** What the client measures once a second, as far as we read it; parts may be missing or not a number. */
interface VendorSample {
  readonly packetsReceived: number
  readonly packetsLost: number
  readonly jitter: number
  readonly rtt: number | null
}

/** The sound of a page that says nothing: packets flow all the same. */
function createSilence() {
  const context = new AudioContext()
  void context.resume().catch(() => undefined)
  const { stream } = context.createMediaStreamDestination()
  return {
    stream,
    close() {
      closeMicrophone(stream)
      void context.close().catch(() => undefined)
    },
  }
}

function outcomeOf(all: readonly VendorSample[]): LineCheckOutcome {
  const samples = all.slice(samplesSkipped)
  const sum = (values: readonly number[]) =>
    values.filter(Number.isFinite).reduce((total, value) => total + value, 0)
  const received = sum(samples.map(({ packetsReceived }) => packetsReceived))
  if (received === 0) return { kind: 'no_sound' }
  const lost = Math.max(0, sum(samples.map(({ packetsLost }) => packetsLost)))
  const trips = samples
    .flatMap(({ rtt }) => (rtt !== null && rtt > 0 ? rtt : []))
    .toSorted((one, other) => one - other)
  const jitters = samples.map(({ jitter }) => jitter).filter(Number.isFinite)
  return {
    kind: 'measured',
    figures: {
      roundTripMs: trips[Math.floor(trips.length / 2)] ?? 0,
      lossPercent: (100 * lost) / (received + lost),
      jitterMs: jitters.length === 0 ? 0 : sum(jitters) / jitters.length,
    },
  }
}
