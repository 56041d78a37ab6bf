import type { Call as VendorCall } from '@twilio/voice-sdk'
import * as z from 'zod/mini'
import type { VoiceRoute } from '#lib/api/token.ts'
import { readRealTimeText } from '#lib/calls/real-time-text.ts'
import { destroyDevice, deviceOptions, loadSdk, mediaLostCode, type Sdk } from './device-options.ts'
import { endReasonOf, faultOf } from './error-codes.ts'
import type { HandsetEnding } from './handset-call.ts'
import type { HandsetLine, HandsetLineEvent, OpenHandset } from './handset-port.ts'
import { sendText } from './text-messages.ts'
import { whenSoundPasses } from './vendor-insides.ts'

/** Max wait for the exchange to confirm the release before the socket is closed. */
const farewellMs = 2_000

/** Rejects if the client cannot be loaded. */
export async function loadHandset(route: VoiceRoute): Promise<OpenHandset> {
  const sdk = await loadSdk(route)
  return (credential, onEvent) => openHandset(sdk, credential, onEvent)
}

const digitsMessage = z.object({
  digits: z.string().check(z.regex(/^[0-9*#]+$/)),
  from: z.int().check(z.nonnegative()),
})

function endingBehind(error: unknown): HandsetEnding {
  const fault = faultOf(error)
  switch (fault === null ? 'connection_lost' : endReasonOf(fault, true).kind) {
    case 'media_failed':
      return 'sound_lost'
    case 'service_restarted':
      return 'exchange_restarted'
    default:
      return 'line_lost'
  }
}

function isTokenRejection(error: unknown): boolean {
  const fault = faultOf(error)
  if (fault === null) return false
  const { kind } = endReasonOf(fault, false)
  return kind === 'authentication_failed' || kind === 'token_invalid' || kind === 'token_expired'
}

type Credential = Parameters<OpenHandset>[0]

function openHandset(
  sdk: Sdk,
  { token, route, ttlSeconds }: Credential,
  onEvent: (event: HandsetLineEvent) => void,
): HandsetLine {
  let sound: MediaStream | undefined
  let call: VendorCall | undefined
  let accepted = false
  let closed = false

  /** The page provides the audio; the client never opens the microphone itself. */
  async function giveSound(): Promise<MediaStream> {
    if (sound === undefined) throw new DOMException('No call is being answered.', 'NotFoundError')
    return sound
  }

  const device = new sdk.Device(token, {
    ...deviceOptions(sdk, route, giveSound),
    // Early enough for a background tab, whose timers can be up to a minute late.
    tokenRefreshMs: ttlSeconds * 200,
  })
  // The page plays its own ring. Without this the client emits 'incoming' only after playing its ring.
  device.audio?.incoming(false)

  function emit(event: HandsetLineEvent): void {
    if (!closed) onEvent(event)
  }

  device.on('registered', () => emit({ kind: 'registered' }))
  device.on('unregistered', () => emit({ kind: 'unreachable' }))
  device.on('tokenWillExpire', () => emit({ kind: 'token_expiring' }))
  device.on('error', (error: unknown) => {
    if (isTokenRejection(error)) emit({ kind: 'refused' })
  })

  function end(ended: VendorCall, ending: HandsetEnding): void {
    if (call !== ended) return
    call = undefined
    accepted = false
    for (const track of sound?.getTracks() ?? []) track.stop()
    sound = undefined
    emit({ kind: 'ended', ending })
  }

  function follow(started: VendorCall): void {
    if (call !== undefined) {
      started.reject()
      return
    }
    call = started
    let failure: HandsetEnding | null = null
    started.on('accept', () => {
      emit({ kind: 'answered' })
      whenSoundPasses(started, () => {
        if (call === started) emit({ kind: 'sound_passes' })
      })
    })
    started.on('cancel', () => end(started, 'gave_up'))
    // The client closes the call just before or just after it reports a fatal error; other errors close nothing.
    started.on('error', (error: unknown) => {
      failure = endingBehind(error)
      queueMicrotask(() => {
        if (started.status() === 'closed') end(started, endingBehind(error))
        else failure = null
      })
    })
    started.on('disconnect', () => end(started, failure ?? 'they_hung_up'))
    // A ringing call cannot be recovered: the client has no media connection to restore yet.
    started.on('transportClose', () => {
      if (!accepted) end(started, 'line_lost')
    })
    started.on('messageReceived', ({ content }: { content?: unknown }) => {
      if (call !== started) return
      const message = readRealTimeText(content)
      if (message !== undefined) return emit({ kind: 'text', message })
      const parsed = digitsMessage.safeParse(content)
      if (parsed.success) emit({ kind: 'digits', ...parsed.data })
    })
    started.on('reconnecting', (error: unknown) => {
      if (call !== started || !accepted) return
      emit({ kind: 'reconnecting', lost: faultOf(error)?.code === mediaLostCode ? 'media' : 'signalling' })
    })
    started.on('reconnected', () => emit({ kind: 'reconnected' }))
    emit({ kind: 'ringing', from: started.parameters['From'] || null })
  }

  device.on('incoming', follow)
  // A rejected registration arrives as 'error'; otherwise the client keeps retrying.
  device.register().catch(() => emit({ kind: 'unreachable' }))

  return {
    answer(stream) {
      if (call === undefined || accepted) {
        for (const track of stream.getTracks()) track.stop()
        return
      }
      accepted = true
      sound = stream
      call.accept()
    },
    decline() {
      if (call === undefined || accepted) return
      const declined = call
      end(declined, 'declined')
      declined.reject()
    },
    hangUp() {
      if (call === undefined) return
      const ended = call
      end(ended, 'hung_up')
      ended.disconnect()
    },
    sendText(message) {
      if (call !== undefined && accepted) sendText(call, message)
    },
    updateToken(fresh) {
      if (!closed) device.updateToken(fresh)
    },
    close() {
      if (closed) return
      closed = true
      for (const track of sound?.getTracks() ?? []) track.stop()
      if (call !== undefined || device.state !== sdk.Device.State.Registered) return destroyDevice(device)
      const timer = setTimeout(() => destroyDevice(device), farewellMs)
      device
        .unregister()
        .catch(() => undefined)
        .then(() => {
          clearTimeout(timer)
          destroyDevice(device)
        })
    },
  }
}
