import type { Call as VendorCall } from '@twilio/voice-sdk'
import { lineCheckPurpose } from '#lib/api/line-check.ts'
import type { VoiceRoute } from '#lib/api/token.ts'
import { destroyDevice, deviceOptions, loadSdk, type Sdk } from './device-options.ts'
import type { LineFigures } from './line-check-result.ts'
import { closeMicrophone } from './microphone.ts'
import type { VoiceCredential } from './port.ts'

/** One a second; the first is skipped because the connection has only just opened. */
const samplesWanted = 6
const samplesSkipped = 1
/** A connection that takes longer is unusable for calls. */
const connectTimeoutMs = 12_000
/** Max time for all samples; none arrive while packets are missing. */
const measureTimeoutMs = 11_000

export type LineCheckOutcome =
  | { readonly kind: 'measured'; readonly figures: LineFigures }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'no_sound' }

export interface RunningLineCheck {
  /** Never rejects; never settles after `stop`. */
  readonly outcome: Promise<LineCheckOutcome>
  stop(): void
}

export type StartLineCheck = (credential: VoiceCredential) => RunningLineCheck

/** Rejects if the voice client cannot be loaded. */
export async function loadLineCheck(route: VoiceRoute): Promise<StartLineCheck> {
  const sdk = await loadSdk(route)
  return credential => startLineCheck(sdk, credential)
}

/**
 * Places a call that reaches nobody, sends silence, and measures it. Not the client's preflight test: that opens the
 * microphone, cannot mark itself as a test, plays sounds from the vendor's host, and sends reports there (ADR-36).
 */
function startLineCheck(sdk: Sdk, { token, route }: VoiceCredential): RunningLineCheck {
  const silence = createSilence()
  const device = new sdk.Device(token, {
    ...deviceOptions(sdk, route, async () => silence.stream),
    // Leaving the page now loses nothing.
    closeProtection: false,
  })
  const { promise: outcome, resolve } = Promise.withResolvers<LineCheckOutcome>()
  let over = false
  let rang = false
  let timer = setTimeout(() => finish({ kind: rang ? 'no_sound' : 'unreachable' }), connectTimeoutMs)

  function release(): void {
    over = true
    clearTimeout(timer)
    destroyDevice(device)
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
      if (samples.length >= samplesSkipped + samplesWanted) finishWith()
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

/** The fields we read of the client's sample, once a second; some may be missing or NaN. */
interface VendorSample {
  readonly packetsReceived: number
  readonly packetsLost: number
  readonly jitter: number
  readonly rtt: number | null
}

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
