import type { Call as VendorCall } from '@twilio/voice-sdk'
import type { EndReason } from '#lib/calls/end-reasons.ts'
import { readRealTimeText } from '#lib/calls/real-time-text.ts'
import { mediaLostCode } from './device-options.ts'
import { endReasonOf, faultOf } from './error-codes.ts'
import { createLineSampler } from './line-sampler.ts'
import { createMediaWatch } from './media-watch.ts'
import type { VoiceEvent } from './port.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { acknowledgeMedia, whenSoundPasses } from './vendor-insides.ts'

export interface FollowedCall {
  readonly vendorCall: VendorCall
  isAnswered(): boolean
}

interface Listener {
  /** Our exchange uses the server's call id; the vendor uses its own. */
  readonly usesOurId: boolean
  readonly emit: (event: VoiceEvent) => void
  /** May be called more than once; the first counts. */
  readonly end: (endReason: EndReason) => void
}

export function followCall(vendorCall: VendorCall, { usesOurId, emit, end }: Listener): FollowedCall {
  let answered = false

  function identity(): { readonly callId?: string } {
    const callId = vendorCall.parameters['CallSid']
    return usesOurId && callId !== undefined ? { callId } : {}
  }

  function closedSilently(): EndReason {
    return { kind: answered ? 'connection_lost' : 'client_disconnected' }
  }

  // The client closes the call just before or after it reports a fatal error, so both handlers check in a microtask.
  let failing = false
  vendorCall.on('error', (error: unknown) => {
    const fault = faultOf(error)
    failing = true
    queueMicrotask(() => {
      failing = false
      if (vendorCall.status() !== 'closed') return
      end(fault === null ? closedSilently() : endReasonOf(fault, answered))
    })
  })
  vendorCall.on('disconnect', () => {
    queueMicrotask(() => {
      if (!failing) end({ kind: answered ? 'callee_hung_up' : 'no_answer' })
    })
  })
  vendorCall.on('cancel', () => end({ kind: 'no_answer' }))
  // Before the answer a lost socket closes the call without an event.
  vendorCall.on('transportClose', () => {
    queueMicrotask(() => {
      if (vendorCall.status() === 'closed') end(closedSilently())
    })
  })
  vendorCall.on('ringing', () => emit({ kind: 'ringing', ...identity() }))
  let sample: ReturnType<typeof createLineSampler> | undefined
  vendorCall.on('accept', () => {
    answered = true
    sample = createLineSampler(vendorCall, lineSample => emit({ kind: 'sample', sample: lineSample }))
    emit({ kind: 'answered', ...identity() })
    whenSoundPasses(vendorCall, () => emit({ kind: 'sound_passes' }))
  })
  const media = createMediaWatch(() => acknowledgeMedia(vendorCall))
  const silence = createSilenceWatch(arriving => emit({ kind: 'sound', arriving }))
  vendorCall.on('sample', lineSample => {
    media.sample(lineSample.packetsReceived)
    if (answered) silence.sample(lineSample.packetsReceived)
    sample?.(lineSample)
  })
  vendorCall.on('messageReceived', ({ content }: { content?: unknown }) => {
    const message = readRealTimeText(content)
    if (message !== undefined) emit({ kind: 'text', message })
  })
  vendorCall.on('reconnecting', (error: unknown) => {
    const lost = faultOf(error)?.code === mediaLostCode ? 'media' : 'signalling'
    if (lost === 'media') media.lost()
    emit({ kind: 'reconnecting', lost })
  })
  vendorCall.on('reconnected', () => {
    media.back()
    silence.restart()
    emit({ kind: 'reconnected' })
  })
  return { vendorCall, isAnswered: () => answered }
}
