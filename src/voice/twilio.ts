import type { VoiceRoute } from '#lib/api/token.ts'
import type { EndReason } from '#lib/calls/end-reasons.ts'
import { createCallSound } from './call-sound.ts'
import { destroyDevice, deviceOptions, loadSdk, type Sdk } from './device-options.ts'
import { endReasonOf, faultOf } from './error-codes.ts'
import { type FollowedCall, followCall } from './follow-call.ts'
import type { ConnectOptions, OpenVoice, VoiceClient, VoiceCredential, VoiceEvent } from './port.ts'
import { sendText } from './text-messages.ts'
import {
  calleeTrackOf,
  hasLostSignalling,
  leaveHangUp,
  listDevices,
  openSignalling,
  playbackOf,
  renewSignalling,
  restartIce,
} from './vendor-insides.ts'

const connectTimeoutMs = 15_000
/** How long an undelivered hang-up waits for a socket; after that the server has ended the call by itself. */
const goodbyeTimeoutMs = 60_000

/** The browser's phone on the vendor's client. Rejects if the client cannot be loaded. */
export async function loadVoice(route: VoiceRoute): Promise<OpenVoice> {
  const sdk = await loadSdk(route)
  return (credential, onEvent) => openVoice(sdk, credential, onEvent)
}

function openVoice(sdk: Sdk, credential: VoiceCredential, onEvent: (event: VoiceEvent) => void): VoiceClient {
  let call: FollowedCall | undefined
  let over = false
  const attempt = crypto.randomUUID()
  const sound = createCallSound(
    () => device.audio,
    () => playbackOf(call?.vendorCall),
    state => emit({ kind: 'microphone', state }),
  )
  const device = new sdk.Device(credential.token, deviceOptions(sdk, credential.route, sound.getMicrophone))
  // The client lists the devices once it exists, and must be done with that before a call: with audio it would take them for
  // new ones and open the microphone again, with a second prompt in some browsers.
  const listed = navigator.mediaDevices.enumerateDevices().catch(() => [])
  let timeout: ReturnType<typeof setTimeout> | undefined

  /** @param lingering the device still has a hang-up to deliver and destroys itself afterwards */
  function release(lingering = false): void {
    over = true
    removeEventListener('online', moveToNetwork)
    clearTimeout(timeout)
    if (!lingering) destroyDevice(device)
    sound.close()
  }

  /** The socket of the former network is dead, though nothing has reported it yet. */
  function moveToNetwork(): void {
    const moved = call?.isAnswered() ? call.vendorCall : undefined
    // A call that is not answered yet ends with its socket.
    if (timeout !== undefined && moved === undefined) return
    if (!renewSignalling(device) || moved === undefined) return
    // Sent earlier, the offer would be lost, or the reply to the reconnect would be taken for its answer.
    moved.once('reconnected', () => restartIce(moved))
  }

  function emit(event: VoiceEvent): void {
    if (!over) onEvent(event)
  }

  function end(endReason: EndReason): void {
    if (over) return
    release()
    onEvent({ kind: 'ended', endReason })
  }

  /** Device errors never end a call in progress; an outage can emit dozens. */
  device.on('error', (error: unknown) => {
    const fault = faultOf(error)
    if (fault === null) return
    if (call !== undefined) {
      // The token expired before it was renewed; with a new one the client reconnects.
      if (endReasonOf(fault, call.isAnswered()).kind === 'token_expired') emit({ kind: 'token_expiring' })
      return
    }
    const endReason = endReasonOf(fault, false)
    if (endReason.kind !== 'client_disconnected' && endReason.kind !== 'media_failed') end(endReason)
  })
  device.on('tokenWillExpire', () => emit({ kind: 'token_expiring' }))
  openSignalling(device)
  addEventListener('online', moveToNetwork)

  /** A hang-up while the service is unreachable is delivered after the reconnect. @returns whether one is pending */
  function hasFarewell(): boolean {
    const callSid = call?.vendorCall.parameters['CallSid']
    if (!call?.isAnswered() || callSid === undefined) return false
    const givingUp = setTimeout(() => destroyDevice(device), goodbyeTimeoutMs)
    const waits = leaveHangUp(device, callSid, () => {
      clearTimeout(givingUp)
      destroyDevice(device)
    })
    if (!waits) clearTimeout(givingUp)
    return waits
  }

  async function start(options: ConnectOptions): Promise<void> {
    timeout = setTimeout(() => end({ kind: 'client_disconnected' }), connectTimeoutMs)
    sound.start(options)
    await listed
    if (options.speakerId !== undefined) await listDevices(device.audio)
    if (over) return
    try {
      const started = await device.connect({
        params: connectParams(options, attempt),
        ...relayOf(credential.route),
      })
      if (over) started.disconnect()
      else {
        clearTimeout(timeout)
        call = followCall(started, { usesOurId: credential.route.kind === 'exchange', emit, end })
      }
      // After the client's own choice at its start, the system's default.
      if (options.speakerId !== undefined) void sound.changeSound('speaker', options.speakerId)
    } catch (error) {
      end(startFailure(error))
    }
  }

  return {
    attempt,
    isLost: () => hasLostSignalling(device),
    connect: options => void start(options),
    hangUp() {
      if (over) return
      over = true
      const close = () => {
        const lingering = hasFarewell()
        call?.vendorCall.disconnect()
        release(lingering)
      }
      // Closing takes over 50 ms on a slow phone, so the page shows the end of the call first. A hidden page shows nothing, and its
      // timers are late. For a page that is left, the client hangs up by itself at `pagehide`.
      if (document.hidden) close()
      else setTimeout(close)
      onEvent({ kind: 'ended', endReason: { kind: call?.isAnswered() ? 'caller_hung_up' : 'cancelled' } })
    },
    mute: muted => call?.vendorCall.mute(muted),
    sendDigits(digits) {
      if (call?.isAnswered() && !over) call.vendorCall.sendDigits(digits)
    },
    sendText(message) {
      if (call?.isAnswered() && !over) sendText(call.vendorCall, message)
    },
    changeSound: sound.changeSound,
    microphone: sound.microphone,
    calleeTrack: () => (call === undefined || over ? null : calleeTrackOf(call.vendorCall)),
    updateToken(token) {
      if (!over) device.updateToken(token)
    },
    destroy() {
      if (!over) release()
    },
  }
}

function relayOf(route: VoiceRoute): { rtcConfiguration?: RTCConfiguration } {
  if (route.kind !== 'exchange' || route.relay === undefined) return {}
  return { rtcConfiguration: { iceServers: [route.relay] } }
}

/** What our exchange and our webhook read; the names are the wire's. */
function connectParams(options: ConnectOptions, attempt: string): Record<string, string> {
  const { to, callerId, test, expectsFree, expectsRateMicroUsd } = options
  return {
    To: to,
    Attempt: attempt,
    ...(callerId !== undefined && { CallerId: callerId }),
    ...(test && { Purpose: 'test' }),
    ...(expectsFree && { Free: 'expected' }),
    ...(expectsRateMicroUsd !== undefined && { Rate: String(expectsRateMicroUsd) }),
  }
}

function startFailure(error: unknown): EndReason {
  const fault = faultOf(error)
  if (fault !== null) return endReasonOf(fault, false)
  const text = error instanceof Error ? error.message : ''
  if (/already active/.test(text)) return { kind: 'already_active' }
  if (/destroyed/.test(text)) return { kind: 'client_destroyed' }
  return { kind: 'client_disconnected' }
}
